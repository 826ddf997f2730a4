/** The time limit of one download. It can be halted while we, and not the other side, are the ones who wait. */
export class Deadline {
  private readonly controller = new AbortController()
  private readonly stop: AbortSignal
  private readonly onStop = (): void => this.controller.abort(this.stop.reason)
  private timer: NodeJS.Timeout | undefined
  private left: number
  private since = 0
  /** whether the time was over, and not the download stopped */
  passed = false

  /** @param stop ends the download before its time */
  constructor(ms: number, stop: AbortSignal) {
    this.left = ms
    this.stop = stop
    if (stop.aborted) this.onStop()
    // linked by hand: a signal made by AbortSignal.any would hang on the long-lived one
    else stop.addEventListener('abort', this.onStop, { once: true })
    this.resume()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  halt(): void {
    if (this.timer === undefined) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.left -= performance.now() - this.since
  }

  resume(): void {
    this.since = performance.now()
    this.timer = setTimeout(
      () => {
        this.passed = true
        this.controller.abort(new Error('time limit'))
      },
      Math.max(0, this.left),
    )
  }

  /** To be called when the download is over. */
  end(): void {
    this.halt()
    this.stop.removeEventListener('abort', this.onStop)
  }
}

/** The time limit of one download. It is paused while the download waits for this process and not for the server. */
export class Deadline {
  private readonly controller = new AbortController()
  private readonly stop: AbortSignal
  private readonly onStop = (): void => this.controller.abort(this.stop.reason)
  private timer: NodeJS.Timeout | undefined
  private left: number
  private since = 0
  /** true when the time ran out, false when the download was stopped */
  passed = false

  /** @param stop aborts the download earlier */
  constructor(ms: number, stop: AbortSignal) {
    this.left = ms
    this.stop = stop
    if (stop.aborted) this.onStop()
    // not AbortSignal.any: its signal would stay attached to the long-lived one
    else stop.addEventListener('abort', this.onStop, { once: true })
    this.resume()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  pause(): void {
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

  /** Ends the time limit after the download. */
  end(): void {
    this.pause()
    this.stop.removeEventListener('abort', this.onStop)
  }
}

import { Counts } from '@partsbus/platform/async/counts'

interface Waiting {
  host: string
  bytes: number
  go: () => void
}

/**
 * Limits the bytes that all downloads hold in memory, and those of each host, so that responses without an announced
 * length, which arrive slowly, do not keep the images of other hosts waiting (rules.md#overload). Downloads wait in
 * order, but one whose host has used up its share holds up no other host.
 */
export class ByteBudget {
  private readonly ofOne: number
  private readonly held = new Counts()
  private waiting: Waiting[] = []
  private free: number

  /** @param total of which one host has a quarter; that is at least the bytes of one download */
  constructor(total: number) {
    this.free = total
    this.ofOne = total / 4
  }

  /** @returns the function that releases the bytes */
  async acquire(host: string, bytes: number): Promise<() => void> {
    await new Promise<void>((go) => {
      this.waiting.push({ host, bytes, go })
      this.serve()
    })
    let isHeld = true
    return () => {
      if (isHeld) this.release(host, bytes)
      isHeld = false
    }
  }

  private release(host: string, bytes: number): void {
    this.free += bytes
    this.held.add(host, -bytes)
    this.serve()
  }

  private serve(): void {
    let isFull = false
    this.waiting = this.waiting.filter(({ host, bytes, go }) => {
      if (isFull || this.held.of(host) + bytes > this.ofOne) return true
      // the first one that may proceed waits for room, or small downloads would overtake large ones for ever
      isFull = bytes > this.free
      if (isFull) return true
      this.free -= bytes
      this.held.add(host, bytes)
      go()
      return false
    })
  }
}

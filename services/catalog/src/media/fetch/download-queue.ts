import { Counts } from '@partsbus/platform/async/counts'

interface Waiting {
  run: () => void
}

/**
 * Limits the downloads at a time, in all and for each host. Hosts take turns, so that a slow host with thousands of
 * images does not delay the others.
 */
export class DownloadQueue {
  private readonly limits: { total: number; perHost: number }
  private readonly waiting = new Map<string, Waiting[]>()
  private readonly running = new Counts()
  private total = 0

  constructor(limits: { total: number; perHost: number }) {
    this.limits = limits
  }

  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((run) => {
      const queue = this.waiting.get(host)
      if (queue) queue.push({ run })
      else this.waiting.set(host, [{ run }])
      this.next()
    })
    try {
      return await work()
    } finally {
      this.total -= 1
      this.running.add(host, -1)
      this.next()
    }
  }

  private next(): void {
    let started = true
    while (started && this.total < this.limits.total) {
      started = false
      for (const [host, queue] of [...this.waiting]) {
        if (this.total >= this.limits.total) return
        if (this.running.of(host) >= this.limits.perHost) continue
        this.start(host, queue)
        started = true
      }
    }
  }

  private start(host: string, queue: Waiting[]): void {
    const first = queue.shift()
    // the host moves to the end of the map, and with it to the end of the round
    this.waiting.delete(host)
    if (queue.length > 0) this.waiting.set(host, queue)
    this.total += 1
    this.running.add(host)
    first?.run()
  }
}

/** Lets all listeners of one resource share its polls: one read per interval, however many listeners there are. */
export class PollCoalescer<Value> {
  private readonly intervalMs: number
  private readonly reads = new Map<string, { at: number; value: Promise<Value> }>()

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs
  }

  /** Reads, unless the last read of this key began within the interval. */
  read(key: string, read: () => Promise<Value>, now = performance.now()): Promise<Value> {
    const last = this.reads.get(key)
    // timers may fire a millisecond early
    if (last && now - last.at < this.intervalMs - 1) return last.value
    const value = read()
    this.reads.set(key, { at: now, value })
    const evict = (): void => {
      if (this.reads.get(key)?.value === value) this.reads.delete(key)
    }
    setTimeout(evict, this.intervalMs).unref()
    // the reader gets the error; the next listener tries again
    value.catch(evict)
    return value
  }
}

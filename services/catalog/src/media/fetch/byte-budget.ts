/** Bytes that downloads may hold in memory together. Whoever finds it spent waits, in order. */
export class ByteBudget {
  private free: number
  private readonly waiting: Array<{ bytes: number; go: () => void }> = []

  /** @param total at least as much as one download may need */
  constructor(total: number) {
    this.free = total
  }

  /** @returns gives the bytes back */
  async take(bytes: number): Promise<() => void> {
    if (this.waiting.length > 0 || this.free < bytes) await new Promise<void>((go) => this.waiting.push({ bytes, go }))
    else this.free -= bytes
    let held = true
    return () => {
      if (held) this.release(bytes)
      held = false
    }
  }

  private release(bytes: number): void {
    this.free += bytes
    while (this.waiting[0] && this.waiting[0].bytes <= this.free) {
      const next = this.waiting.shift()
      this.free -= next?.bytes ?? 0
      next?.go()
    }
  }
}

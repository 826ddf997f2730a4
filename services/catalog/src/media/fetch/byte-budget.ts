/** Limits the bytes that all downloads hold in memory. Downloads wait for their share in order. */
export class ByteBudget {
  private free: number
  private readonly waiting: Array<{ bytes: number; go: () => void }> = []

  /** @param total at least the bytes of one download */
  constructor(total: number) {
    this.free = total
  }

  /** @returns the function that releases the bytes */
  async acquire(bytes: number): Promise<() => void> {
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

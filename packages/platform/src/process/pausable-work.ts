/** Work that writes, and that maintenance keeps from beginning. It rests from the start until {@link resume}. */
export class PausableWork {
  private readonly running = new Map<string, number>()
  private paused = true
  private resumptions = 0

  get isPaused(): boolean {
    return this.paused
  }

  /** Nothing runs, and nothing will begin. */
  get isQuiet(): boolean {
    return this.paused && this.running.size === 0
  }

  /** How often work was allowed to begin again. */
  get resumed(): number {
    return this.resumptions
  }

  /** Names of what runs. */
  get busy(): string[] {
    return [...this.running.keys()]
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    if (!this.paused) return
    this.paused = false
    this.resumptions += 1
  }

  /** @returns what ends the work; undefined while nothing may begin */
  begin(name: string): (() => void) | undefined {
    if (this.paused) return undefined
    this.running.set(name, (this.running.get(name) ?? 0) + 1)
    return () => {
      const others = (this.running.get(name) ?? 1) - 1
      if (others > 0) this.running.set(name, others)
      else this.running.delete(name)
    }
  }

  /** @returns undefined, without a call of `work`, while nothing may begin */
  async run<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const end = this.begin(name)
    if (!end) return undefined
    try {
      return await work()
    } finally {
      end()
    }
  }
}

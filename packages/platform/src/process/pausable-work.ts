import { Counts } from '../async/counts.js'

/** Work that writes, and that maintenance keeps from beginning. It rests from the start until {@link resume}. */
export class PausableWork {
  private readonly running = new Counts()
  private paused = true
  private resumptions = 0

  get isPaused(): boolean {
    return this.paused
  }

  /** Nothing runs, and nothing will begin. */
  get isQuiet(): boolean {
    return this.paused && this.busy.length === 0
  }

  /** How often work was allowed to begin again. */
  get resumed(): number {
    return this.resumptions
  }

  /** Names of what runs. */
  get busy(): string[] {
    return this.running.keys()
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
    return this.paused ? undefined : this.count(name)
  }

  /**
   * Counts work that a request has brought and that may outlast its answer. It begins in any case: the gateway has
   * refused it, or has counted it when it was allowed.
   * @returns what ends the work
   */
  count(name: string): () => void {
    this.running.add(name)
    return () => this.running.add(name, -1)
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

/** Work that goes on after its caller was answered. */
export class BackgroundWork {
  private readonly running = new Set<Promise<void>>()

  add(work: Promise<unknown>, failed: (error: unknown) => void): void {
    const done = work.then(() => undefined, failed).finally(() => this.running.delete(done))
    this.running.add(done)
  }

  /** Resolves when all of it has ended. */
  async drain(): Promise<void> {
    await Promise.all(this.running)
  }
}

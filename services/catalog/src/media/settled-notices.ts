type Listener = (setId: string, request: string) => void

/** Tells the calls that wait in this process which of their wishes were decided in it. */
export class SettledNotices {
  private readonly listeners = new Set<Listener>()

  /** @returns ends it */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  tell(setId: string, request: string): void {
    for (const listener of this.listeners) listener(setId, request)
  }
}

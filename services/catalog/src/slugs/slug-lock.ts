/**
 * Serializes the writers of this process that request the same slug, so that each one sees what the others stored.
 * The unique index alone would decide as well, but on FerretDB concurrent inserts of one new value wait for each other
 * in a cycle: each cycle lasts as long as the deadlock timeout of the database. Ten writers took 10 to 35 s.
 */
export class SlugLock {
  private readonly holders = new Map<string, Promise<void>>()

  /** Waits until all of the slugs are free and locks them in one step, so that no two writers wait for each other. */
  async acquire(slugs: readonly string[]): Promise<() => void> {
    for (let holder = this.findHolder(slugs); holder; holder = this.findHolder(slugs)) await holder
    let unlock = (): void => undefined
    const held = new Promise<void>((done) => {
      unlock = done
    })
    for (const slug of slugs) this.holders.set(slug, held)
    return () => {
      for (const slug of slugs) this.holders.delete(slug)
      unlock()
    }
  }

  private findHolder(slugs: readonly string[]): Promise<void> | undefined {
    for (const slug of slugs) {
      const holder = this.holders.get(slug)
      if (holder) return holder
    }
    return undefined
  }
}

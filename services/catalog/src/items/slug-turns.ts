/** A writer's hold on the slugs it writes. */
export interface SlugTurn {
  /** those of its slugs that were stored by others while it waited */
  taken: ReadonlySet<string>
  /** lets the next ones go on. @param stored the slugs that are this writer's now */
  end(stored: readonly string[]): void
}

/**
 * Writers of this process who meet at one slug go one after the other, and hear who got it. The unique index alone would
 * judge them as well, but on FerretDB several inserts of one new value wait for each other in a ring: each ring costs the
 * database its deadlock timeout, and the one it gives up comes again into the next ring. Ten writers took 10 to 35 s.
 */
export class SlugTurns {
  private readonly held = new Map<string, Promise<readonly string[]>>()

  /** Waits until nobody else holds any of the slugs, and holds them all at once. */
  async take(slugs: readonly string[]): Promise<SlugTurn> {
    const taken = new Set<string>()
    for (let other = this.holderOf(slugs); other; other = this.holderOf(slugs))
      for (const slug of await other) taken.add(slug)
    let pass: (stored: readonly string[]) => void = () => undefined
    const turn = new Promise<readonly string[]>((done) => {
      pass = done
    })
    for (const slug of slugs) this.held.set(slug, turn)
    return {
      taken,
      end: (stored) => {
        for (const slug of slugs) this.held.delete(slug)
        pass(stored)
      },
    }
  }

  private holderOf(slugs: readonly string[]): Promise<readonly string[]> | undefined {
    for (const slug of slugs) {
      const holder = this.held.get(slug)
      if (holder) return holder
    }
    return undefined
  }
}

export interface JoinOptions {
  /** whoever gives up leaves the line */
  signal?: AbortSignal | undefined
  /** who waits, the outermost group first; groups of a level take turns. All of one line have as many levels. */
  groups?: readonly unknown[] | undefined
}

/** One who was taken from the line. */
export interface Waiter<Entry> {
  readonly entry: Entry
  proceed: () => void
  refuse: (reason: Error) => void
}

/**
 * Those who wait for something: in order of arrival, or in turns of their groups, so that one with a thousand waiters
 * does not delay one with a single waiter. Who may proceed, and when, is for the owner of the line to decide.
 */
export class WaitLine<Entry = undefined> {
  private readonly waiters = new Line<Waiter<Entry>>()
  private count = 0

  get length(): number {
    return this.count
  }

  /** Whose turn is next. */
  get first(): Entry | undefined {
    return this.waiters.first?.entry
  }

  /** Ends when it may proceed. @throws the reason of `signal`, or of the refusal */
  join(entry: Entry, { signal, groups = [] }: JoinOptions = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const leave = (): void => {
        this.waiters.remove(waiter, groups)
        this.count -= 1
        reject(signal?.reason as Error)
      }
      const end = (settle: () => void): void => {
        signal?.removeEventListener('abort', leave)
        settle()
      }
      const waiter: Waiter<Entry> = {
        entry,
        proceed: () => end(resolve),
        refuse: (reason) => end(() => reject(reason)),
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.waiters.add(waiter, groups)
      this.count += 1
    })
  }

  /** Takes the next one from the line; it waits until it is told to proceed, or refused. */
  take(): Waiter<Entry> | undefined {
    const next = this.waiters.shift()
    if (next) this.count -= 1
    return next
  }
}

/** Items in order of arrival, and groups of them in turn. */
class Line<Item> {
  private readonly items: Item[] = []
  /** the first one has the next turn */
  private readonly groups = new Map<unknown, Line<Item>>()

  get first(): Item | undefined {
    const [group] = this.groups.values()
    return this.items[0] ?? group?.first
  }

  add(item: Item, [group, ...inner]: readonly unknown[]): void {
    if (group === undefined) {
      this.items.push(item)
      return
    }
    const line = this.groups.get(group) ?? new Line<Item>()
    this.groups.set(group, line)
    line.add(item, inner)
  }

  shift(): Item | undefined {
    const [turn] = this.groups
    if (!turn) return this.items.shift()
    const [group, line] = turn
    const item = line.shift()
    // to the end of the round
    this.groups.delete(group)
    if (line.first !== undefined) this.groups.set(group, line)
    return item
  }

  remove(item: Item, [group, ...inner]: readonly unknown[]): void {
    if (group === undefined) this.items.splice(this.items.indexOf(item), 1)
    const line = this.groups.get(group)
    line?.remove(item, inner)
    if (line?.first === undefined) this.groups.delete(group)
  }
}

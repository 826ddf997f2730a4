export interface WriteBehindOptions<Changes> {
  /** ms for which changes are collected */
  everyMs: number
  /** Adds newer changes to older ones, which it may modify. */
  merge: (older: Changes, newer: Changes) => Changes
  write: (changes: Changes) => Promise<void>
  /** whether they are to be written at once */
  isFull?: (changes: Changes) => boolean
  /** reports a write in the background that failed; it is repeated after `everyMs` */
  failed: (error: unknown) => void
}

/*
 * Changes that wait for nothing: collected in memory → written together, by one write at a time → forgotten; those of a
 * write that failed are put back before the newer ones. A process that is killed loses what it has not written.
 */
export class WriteBehind<Changes> {
  private readonly options: WriteBehindOptions<Changes>
  private pending: Changes | undefined
  private writing: Promise<void> | undefined
  /** begins after {@link writing} */
  private next: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isStopped = false

  constructor(options: WriteBehindOptions<Changes>) {
    this.options = options
  }

  collect(changes: Changes): void {
    this.pending = this.pending === undefined ? changes : this.options.merge(this.pending, changes)
    if (this.options.isFull?.(this.pending)) void this.flushQuietly()
    else this.schedule()
  }

  /** Resolves when all that was collected before is written. @throws when it could not be written */
  flush(): Promise<void> {
    if (!this.writing) return this.begin()
    // one for all who come meanwhile: while the database does not answer they must not queue
    this.next ??= this.writing
      .catch(() => undefined)
      .then(() => {
        this.next = undefined
        return this.begin()
      })
    return this.next
  }

  /** Writes the rest; the timer does not begin again. */
  stop(): Promise<void> {
    return this.finish().catch(this.options.failed)
  }

  /** Like {@link stop}. @throws when the rest could not be written */
  finish(): Promise<void> {
    this.isStopped = true
    return this.flush()
  }

  private schedule(): void {
    if (!this.isStopped) this.timer ??= setTimeout(() => void this.flushQuietly(), this.options.everyMs).unref()
  }

  private flushQuietly(): Promise<void> {
    return this.flush().catch(this.options.failed)
  }

  private begin(): Promise<void> {
    this.writing = this.write().finally(() => {
      this.writing = undefined
    })
    return this.writing
  }

  private async write(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const { pending } = this
    if (pending === undefined) return
    this.pending = undefined
    try {
      await this.options.write(pending)
    } catch (error) {
      this.pending = this.pending === undefined ? pending : this.options.merge(pending, this.pending)
      this.schedule()
      throw error
    }
  }
}

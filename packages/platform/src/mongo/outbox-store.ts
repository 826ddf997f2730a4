import type { Collection } from 'mongodb'

/** What is owed to the event stream: written before the change it tells of, deleted after the stream acknowledged. */
export interface OutboxEntry {
  _id: string
  kind: string
  /** JSON, so that a thousand items cost one string and not a thousand documents */
  payload: string
  at: Date
}

const DELETE_AFTER_MS = 500
const DELETE_AT = 100

/*
 * noted → published → deleted. A process killed in between leaves the note; a sweeper of any replica
 * publishes what is older than a few seconds again (events are repeated, never lost).
 */
export class OutboxStore {
  private readonly notes: Collection<OutboxEntry>
  private done: string[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(notes: Collection<OutboxEntry>) {
    this.notes = notes
  }

  async note(id: string, kind: string, payload: unknown): Promise<void> {
    await this.notes.insertOne({ _id: id, kind, payload: JSON.stringify(payload), at: new Date() })
  }

  /** Remembers that a note may go; deletions are made many at a time, off the path of any request. */
  published(id: string): void {
    this.done.push(id)
    if (this.done.length >= DELETE_AT) void this.flush().catch(() => undefined)
    else this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), DELETE_AFTER_MS).unref()
  }

  /** Notes that should have been published by now. */
  due(olderThanMs: number, limit = 100): Promise<OutboxEntry[]> {
    return this.notes
      .find({ at: { $lt: new Date(Date.now() - olderThanMs) } })
      .sort({ at: 1 })
      .limit(limit)
      .toArray()
  }

  /** Deletes what was published. Called by itself, and once when the process stops. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const ids = this.done
    this.done = []
    if (ids.length === 0) return
    try {
      await this.notes.deleteMany({ _id: { $in: ids.sort() } })
    } catch (error) {
      this.done.push(...ids)
      throw error
    }
  }
}

import type { Collection } from 'mongodb'
import { BackgroundWork } from '../async/background-work.js'
import { WriteBehind } from '../async/write-behind.js'
import { currentScope } from '../bus/call-scope.js'
import { continueTrace, currentRequestOrigin, type RequestOrigin } from '../process/spans.js'
import { databaseNow, DatabaseClock } from './clock.js'
import { ensureIndexes } from './indexes.js'

/** A change whose events are not published yet: written before the change, deleted after the stream acknowledged. */
export interface OutboxEntry {
  _id: string
  kind: string
  /** JSON, so that a thousand items are one string and not a thousand documents */
  payload: string
  /** by the database's clock */
  at: Date
  /** the request of the change; only if it was traced, so that events published later belong to its trace */
  request_id?: string
  request_origin?: RequestOrigin
  /** how often {@link OutboxStore.awaitMajority} has changed the entry */
  checks?: number
}

export interface OverdueEntry extends OutboxEntry {
  /** by the database's clock */
  ageMs: number
}

export interface RelayOptions {
  /** younger entries are left to the process that wrote them */
  olderThanMs: number
  /** Publishes one entry. @returns false when it is not ready to be published */
  publish(entry: OverdueEntry): Promise<boolean>
  failed(error: unknown, entry: OverdueEntry): void
  /** called between entries */
  isStopped?: () => boolean
}

const DELETE_AFTER_MS = 500
const DELETE_AT = 100
const PAGE = 100
/** After this many failures in a row the stream is more likely at fault than the entries. */
const MAX_FAILURES_IN_A_ROW = 5

/*
 * added → published → deleted. A process that is killed in between leaves the entry; the relay of any replica publishes
 * it again after a few seconds. Events are delivered at least once.
 */
export class OutboxStore {
  private readonly entries: Collection<OutboxEntry>
  private readonly clock: DatabaseClock
  private readonly publishing = new BackgroundWork()
  private readonly published: WriteBehind<string[]>
  /** where the next pass begins, when the last one stopped early */
  private resumeAfter: Pick<OutboxEntry, '_id' | 'at'> | undefined

  /** @param deleteAfterMs how long published entries are gathered before they are deleted together */
  constructor(entries: Collection<OutboxEntry>, deleteAfterMs = DELETE_AFTER_MS) {
    this.entries = entries
    this.clock = new DatabaseClock(entries.db)
    this.published = new WriteBehind({
      everyMs: deleteAfterMs,
      merge: (older, newer) => {
        older.push(...newer)
        return older
      },
      isFull: (ids) => ids.length >= DELETE_AT,
      write: async (ids) => {
        await this.entries.deleteMany({ _id: { $in: ids.toSorted() } })
      },
      // until it succeeds the relay publishes the entries once more
      failed: () => undefined,
    })
  }

  /** Creates the index, and reads the database's clock so that the first request need not. */
  async ensureIndexes(): Promise<void> {
    await ensureIndexes(this.entries, [{ name: 'at', key: { at: 1, _id: 1 } }])
    await this.clock.now()
  }

  async add(id: string, kind: string, payload: unknown): Promise<void> {
    const at = await this.clock.now()
    await this.entries.insertOne({ _id: id, kind, payload: JSON.stringify(payload), at, ...tracedRequest() })
  }

  /** Makes an entry young again, so that the relay leaves it to a process that is still at work. */
  async renew(id: string, kind: string, payload: unknown): Promise<void> {
    const entry = { kind, payload: JSON.stringify(payload), at: await this.clock.now(), ...tracedRequest() }
    await this.entries.replaceOne({ _id: id }, entry, { upsert: true })
  }

  /** Marks an entry as published when `work` has ended. An entry whose work fails is left to the relay. */
  publishInBackground(id: string, work: Promise<unknown>, failed: (error: unknown) => void): void {
    this.publishing.add(
      work.then(() => this.markPublished(id)),
      failed,
    )
  }

  /** Schedules the deletion of a published entry. Entries are deleted many at a time, outside of any request. */
  markPublished(id: string): void {
    this.published.collect([id])
  }

  /**
   * Returns when the majority has whatever was written before, so that reads see it: a write that was not acknowledged
   * may be applied on the primary, invisible until the other members have it. Only a change of a document waits for it.
   * @returns false if the entry is gone, because another process has published it
   * @throws if the majority does not have it in time
   */
  async awaitMajority(id: string): Promise<boolean> {
    return (await this.entries.updateOne({ _id: id }, { $inc: { checks: 1 } })).matchedCount > 0
  }

  /** Entries that should have been published by now, oldest first. */
  async overdue(olderThanMs: number, limit = PAGE, after?: Pick<OutboxEntry, '_id' | 'at'>): Promise<OverdueEntry[]> {
    const now = await databaseNow(this.entries.db)
    const before = { at: { $lt: new Date(now.getTime() - olderThanMs) } }
    const behind = after && { $or: [{ at: { $gt: after.at } }, { at: after.at, _id: { $gt: after._id } }] }
    const entries = await this.entries
      .find(behind ? { $and: [before, behind] } : before)
      .sort({ at: 1, _id: 1 })
      .limit(limit)
      .toArray()
    return entries.map((entry) => ({ ...entry, ageMs: now.getTime() - entry.at.getTime() }))
  }

  /** Age of the oldest entry; 0 when there is none. */
  async oldestAgeMs(): Promise<number> {
    const [oldest] = await this.overdue(0, 1)
    return oldest?.ageMs ?? 0
  }

  /** Publishes overdue entries. An entry that cannot be published does not block later ones. */
  async relay(options: RelayOptions): Promise<void> {
    let failures = 0
    let after = this.resumeAfter
    this.resumeAfter = undefined
    for (;;) {
      const page = await this.overdue(options.olderThanMs, PAGE, after)
      for (const entry of page) {
        if (options.isStopped?.()) return
        try {
          if (await inTraceOf(entry, () => options.publish(entry))) this.markPublished(entry._id)
          failures = 0
        } catch (error) {
          options.failed(error, entry)
          failures += 1
        }
        after = { _id: entry._id, at: entry.at }
        if (failures >= MAX_FAILURES_IN_A_ROW) {
          this.resumeAfter = after
          return
        }
      }
      await this.flush()
      if (page.length < PAGE) return
    }
  }

  /**
   * Waits for what is being published in the background, and deletes the published entries: the process stops.
   * @throws when they cannot be deleted: another process then publishes them once more
   */
  async drain(): Promise<void> {
    await this.publishing.drain()
    await this.published.finish()
  }

  /** Deletes the published entries. */
  flush(): Promise<void> {
    return this.published.flush()
  }
}

function tracedRequest(): Pick<OutboxEntry, 'request_id' | 'request_origin'> {
  const request_origin = currentRequestOrigin()
  if (!request_origin.traceparent) return {}
  return { request_id: currentScope()?.requestId ?? '', request_origin }
}

function inTraceOf<T>({ request_id: requestId, request_origin }: OutboxEntry, work: () => Promise<T>): Promise<T> {
  return requestId === undefined ? work() : continueTrace({ requestId, ...request_origin }, work)
}

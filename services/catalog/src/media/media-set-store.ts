import { randomUUID } from 'node:crypto'
import { isDuplicateKey, retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { AnyBulkWriteOperation, Collection, Db } from 'mongodb'
import { isUndone, type MediaSet, NEVER, UNCLAIMED } from './media-set.js'

const CLOCK_MS = 5_000

/** A wish as it is written; the store adds what it is not for the caller to decide. */
export type AskedSet = Pick<MediaSet, '_id' | 'item' | 'erp_id' | 'images'>

/** A write that holds only while the set is as its owner claimed it. */
export interface SetChange {
  set: Pick<MediaSet, '_id' | 'rev'>
  to: Partial<Pick<MediaSet, 'images' | 'settled' | 'owed' | 'due_at' | 'retry_at'>>
}

export class MediaSetStore {
  private readonly db: Db
  private readonly sets: Collection<MediaSet>
  /** `ahead` of the monotonic clock, which runs on while a process is frozen */
  private clock = { readAt: Number.NEGATIVE_INFINITY, ahead: 0 }

  constructor(db: Db) {
    this.db = db
    this.sets = db.collection<MediaSet>('media_sets')
  }

  async prepare(): Promise<void> {
    await ensureIndexes(this.sets, [
      { name: 'due_at', key: { due_at: 1 } },
      { name: 'undone_images', key: { 'images.id': 1 }, options: { partialFilterExpression: { undone: true } } },
    ])
  }

  /** The database's clock, read every few seconds; that of this machine may be hours off. */
  async now(): Promise<number> {
    if (performance.now() - this.clock.readAt > CLOCK_MS) {
      const readAt = performance.now()
      const { localTime } = await this.db.command({ hello: 1 })
      this.clock = { readAt, ahead: (localTime instanceof Date ? localTime.getTime() : Date.now()) - readAt }
    }
    return this.clock.ahead + performance.now()
  }

  /** Replaces what the items shall have, in one write. Whoever works on an earlier wish is fenced off by it. */
  async ask(request: string, asked: AskedSet[], allowedHosts: string[]): Promise<void> {
    const updated_at = new Date()
    const operations = sortById(asked, (one) => one._id).map(({ _id, ...one }): AnyBulkWriteOperation<MediaSet> => ({
      updateOne: {
        filter: { _id },
        update: {
          $inc: { rev: 1 },
          $set: {
            ...one,
            undone: one.images.length > 0,
            request,
            allowed_hosts: allowedHosts,
            settled: false,
            retry_at: NEVER,
            owner: UNCLAIMED,
            updated_at,
          },
          $setOnInsert: { owed: [] },
          $currentDate: { due_at: true },
        },
        upsert: true,
      },
    }))
    await this.write(operations)
  }

  /**
   * Takes those sets that are due, until `leaseMs` from now.
   * A wish that nobody claimed yet is due whatever the clocks of several database servers say.
   * The clock is not in the filter: FerretDB has no `$$NOW` in bulk writes.
   */
  async claim(ids: string[], leaseMs: number): Promise<{ sets: MediaSet[]; at: number }> {
    const now = await this.now()
    const owner = randomUUID()
    await this.write(
      ids.toSorted().map((_id) => ({
        updateOne: {
          filter: { _id, $or: [{ owner: UNCLAIMED }, { due_at: { $lte: new Date(now) } }] },
          update: { $inc: { rev: 1 }, $set: { owner, due_at: new Date(now + leaseMs) } },
        },
      })),
    )
    return { sets: await this.sets.find({ _id: { $in: ids }, owner }).toArray(), at: now }
  }

  /**
   * Writes what holds only while nobody else asked or claimed; others are left as they are.
   * @returns whether all were still held
   */
  async change(changes: SetChange[]): Promise<boolean> {
    const updated_at = new Date()
    const matched = await this.write(
      sortById(changes, ({ set }) => set._id).map(({ set, to }) => ({
        updateOne: {
          filter: { _id: set._id, rev: set.rev },
          update: { $set: { ...to, ...(to.images && { undone: isUndone(to.images) }), updated_at } },
        },
      })),
    )
    return matched === changes.length
  }

  /** Ids of those that nobody else asked or claimed since. */
  async findHeld(sets: Array<Pick<MediaSet, '_id' | 'rev'>>): Promise<Set<string>> {
    const revs = new Map(sets.map(({ _id, rev }) => [_id, rev]))
    const found = await this.sets.find({ _id: { $in: [...revs.keys()] } }, { projection: { rev: 1 } }).toArray()
    return new Set(found.filter(({ _id, rev }) => revs.get(_id) === rev).map(({ _id }) => _id))
  }

  /** Prolongs claims. */
  async renew(sets: Array<Pick<MediaSet, '_id' | 'rev'>>, leaseMs: number): Promise<void> {
    const due_at = new Date((await this.now()) + leaseMs)
    await this.write(
      sortById(sets, (set) => set._id).map(({ _id, rev }) => ({
        updateOne: { filter: { _id, rev }, update: { $set: { due_at } } },
      })),
    )
  }

  /** What should have been taken by now, the oldest first. */
  async findDue(graceMs: number, limit: number): Promise<string[]> {
    const before = new Date((await this.now()) - graceMs)
    const due = await this.sets
      .find({ due_at: { $lte: before } }, { projection: { _id: 1 } })
      .sort({ due_at: 1 })
      .limit(limit)
      .toArray()
    return due.map((set) => set._id)
  }

  /** Of items that are to have no pictures, those that may have some. */
  async findFilled(ids: string[]): Promise<Set<string>> {
    const filled = await this.sets
      .find(
        { _id: { $in: ids }, $or: [{ 'images.0': { $exists: true } }, { due_at: { $lt: NEVER } }] },
        { projection: { _id: 1 } },
      )
      .toArray()
    return new Set(filled.map((set) => set._id))
  }

  /** Which of these wishes of one call are decided, or replaced by another call's. */
  async findOver(ids: string[], request: string): Promise<string[]> {
    const over = await this.sets
      .find({ _id: { $in: ids }, $or: [{ settled: true }, { request: { $ne: request } }] }, { projection: { _id: 1 } })
      .toArray()
    return over.map((set) => set._id)
  }

  /** The images of those wishes of one call that are not all done, without those that another call replaced. */
  findUndone(ids: string[], request: string): Promise<Array<Pick<MediaSet, '_id' | 'images'>>> {
    return this.sets.find({ _id: { $in: ids }, request, undone: true }, { projection: { _id: 1, images: 1 } }).toArray()
  }

  private async write(operations: Array<AnyBulkWriteOperation<MediaSet>>): Promise<number> {
    if (operations.length === 0) return 0
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await retryConflicts(() => this.sets.bulkWrite(operations, { ordered: false }))).matchedCount
      } catch (error) {
        // two calls created one set at the same moment; repeating only raises `rev` once more
        if (attempt >= 5 || !isDuplicateKey(error)) throw error
      }
    }
  }
}

function sortById<T>(list: T[], id: (one: T) => string): T[] {
  return list.toSorted((a, b) => (id(a) < id(b) ? -1 : 1))
}

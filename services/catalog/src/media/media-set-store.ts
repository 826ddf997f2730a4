import { randomUUID } from 'node:crypto'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { currentScope } from '@partsbus/platform/bus/call-scope'
import { DatabaseClock } from '@partsbus/platform/mongo/clock'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { collectDuplicates, retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { currentRequestOrigin } from '@partsbus/platform/process/spans'
import { type AnyBulkWriteOperation, type Collection, Db, type Filter } from 'mongodb'
import { hostOf, isUndone, type MediaSet, NEVER, UNCLAIMED } from './media-set.js'

/** A request as it is written; the store adds the other fields. */
export type RequestedSet = Pick<MediaSet, '_id' | 'item' | 'erp_id' | 'images'> & BatchOrder

/** What decides which of two batches is the later one for an item. */
interface BatchOrder {
  item_rev: number
  received_at: Date
}

/** A write that is made only while no other worker or request has changed the set. */
export interface SetChange {
  set: Pick<MediaSet, '_id' | 'rev'>
  to: Partial<Pick<MediaSet, 'images' | 'settled' | 'owed' | 'due_at' | 'retry_at'>>
}

@Injectable()
export class MediaSetStore implements OnModuleInit {
  private readonly sets: Collection<MediaSet>
  readonly clock: DatabaseClock

  constructor(
    db: Db,
    private readonly counters: CounterStore,
  ) {
    this.sets = db.collection<MediaSet>('media_sets')
    this.clock = new DatabaseClock(db)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.sets, [
      { name: 'due_at', key: { due_at: 1 } },
      { name: 'undone_images', key: { 'images.id': 1 }, options: { partialFilterExpression: { undone: true } } },
    ])
    await this.counters.startAbove('media_jobs', () => this.findHighestJobId())
  }

  /** The database's clock in milliseconds; that of this machine may be hours off. */
  async now(): Promise<number> {
    return (await this.clock.now()).getTime()
  }

  /**
   * Replaces the images of the items. Workers of earlier requests are fenced off. A request of an earlier batch than
   * the stored one is ignored, so that an item has the fields and the images of the same batch.
   */
  async request(request: string, sets: RequestedSet[], allowedHosts: string[]): Promise<void> {
    const updated_at = new Date()
    const request_id = currentScope()?.requestId ?? request
    const request_origin = currentRequestOrigin()
    const operations = sortById(sets, ({ _id }) => _id).map(({ _id, ...set }) => ({
      filter: { _id, ...notAfter(set) },
      update: {
        $inc: { rev: 1 },
        $set: {
          ...set,
          undone: set.images.length > 0,
          request,
          request_id,
          request_origin,
          allowed_hosts: allowedHosts,
          hosts: [...new Set(set.images.map(({ url }) => hostOf(url)))],
          settled: false,
          retry_at: NEVER,
          owner: UNCLAIMED,
          updated_at,
        },
        $setOnInsert: { owed: [] },
        $currentDate: { due_at: true as const },
      },
    }))
    const write = (some: typeof operations, upsert: boolean) =>
      this.write(some.map((operation) => ({ updateOne: { ...operation, upsert } })))
    // a duplicate: the set exists with a later revision, or another request created it at the same moment
    const duplicates = await collectDuplicates(() => write(operations, true))
    await write(
      duplicates.flatMap(({ position }) => operations[position] ?? []),
      false,
    )
  }

  /**
   * Notes for items without images that a batch has sent none. Requests of earlier batches are ignored from then on.
   * @returns the sets that have images, or those of a later batch
   */
  async noteEmpty(sets: Array<Omit<RequestedSet, 'images'>>): Promise<Set<string>> {
    if (sets.length === 0) return new Set()
    const updated_at = new Date()
    const sorted = sortById(sets, ({ _id }) => _id)
    const operations = sorted.map(({ _id, item, erp_id, item_rev, received_at }) => ({
      updateOne: {
        filter: {
          _id,
          'images.0': { $exists: false },
          due_at: { $gte: NEVER },
          ...notAfter({ item_rev, received_at }),
        },
        update: {
          $set: { item_rev, received_at, updated_at },
          $setOnInsert: { item, erp_id, rev: 1, request: '', ...nothingRequested },
        },
        upsert: true,
      },
    }))
    const duplicates = await collectDuplicates(() => this.write(operations))
    return new Set(duplicates.flatMap(({ position }) => sorted[position]?._id ?? []))
  }

  /**
   * Claims the due sets until `leaseMs` from now. A set that no worker has claimed yet is due even if the clocks of
   * several database servers differ.
   * The clock is not in the filter: FerretDB has no `$$NOW` in bulk writes.
   * @param fullHosts sets with images of these are not claimed
   */
  async claim(ids: string[], leaseMs: number, fullHosts: string[]): Promise<{ sets: MediaSet[]; at: number }> {
    const now = await this.now()
    const owner = randomUUID()
    await this.write(
      ids.toSorted().map((_id) => ({
        updateOne: {
          filter: {
            _id,
            ...noneOf(fullHosts),
            $or: [{ owner: UNCLAIMED }, { due_at: { $lte: new Date(now) } }],
          },
          update: { $inc: { rev: 1 }, $set: { owner, due_at: new Date(now + leaseMs) } },
        },
      })),
    )
    return { sets: await this.sets.find({ _id: { $in: ids }, owner }).toArray(), at: now }
  }

  /**
   * Writes those sets that no other worker or request has changed.
   * @returns whether these were all
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

  /** Ids of the sets that no other worker or request has changed. */
  async findUnchanged(sets: Array<Pick<MediaSet, '_id' | 'rev'>>): Promise<Set<string>> {
    const revs = new Map(sets.map(({ _id, rev }) => [_id, rev]))
    const found = await this.sets.find({ _id: { $in: [...revs.keys()] } }, { projection: { rev: 1 } }).toArray()
    return new Set(found.filter(({ _id, rev }) => revs.get(_id) === rev).map(({ _id }) => _id))
  }

  async renew(sets: Array<Pick<MediaSet, '_id' | 'rev'>>, leaseMs: number): Promise<void> {
    const due_at = new Date((await this.now()) + leaseMs)
    await this.write(
      sortById(sets, (set) => set._id).map(({ _id, rev }) => ({
        updateOne: { filter: { _id, rev }, update: { $set: { due_at } } },
      })),
    )
  }

  /** Those of the sets that have images of these hosts, with one of the hosts. */
  async findOfHosts(ids: string[], hosts: string[]): Promise<Array<{ id: string; host: string }>> {
    const found = await this.sets
      .find({ _id: { $in: ids }, hosts: { $in: hosts } }, { projection: { hosts: 1 } })
      .toArray()
    return found.map((set) => ({ id: set._id, host: hosts.find((host) => set.hosts?.includes(host)) ?? '' }))
  }

  /**
   * Sets that a worker should have claimed by now, the oldest first.
   * @param fullHosts sets with images of these are left out
   */
  async findDue(graceMs: number, limit: number, fullHosts: string[]): Promise<string[]> {
    const before = new Date((await this.now()) - graceMs)
    const due = await this.sets
      .find({ due_at: { $lte: before }, ...noneOf(fullHosts) }, { projection: { _id: 1 } })
      .sort({ due_at: 1 })
      .limit(limit)
      .toArray()
    return due.map((set) => set._id)
  }

  /** Sets whose item may have media. */
  async findFilled(ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const filled = await this.sets
      .find(
        { _id: { $in: ids }, $or: [{ 'images.0': { $exists: true } }, { due_at: { $lt: NEVER } }] },
        { projection: { _id: 1 } },
      )
      .toArray()
    return new Set(filled.map((set) => set._id))
  }

  /** Sets of one request that are settled or replaced. */
  async findSettled(ids: string[], request: string): Promise<string[]> {
    const settled = await this.sets
      .find({ _id: { $in: ids }, $or: [{ settled: true }, { request: { $ne: request } }] }, { projection: { _id: 1 } })
      .toArray()
    return settled.map((set) => set._id)
  }

  /** The sets of one request with images that are not done. */
  findUndone(ids: string[], request: string): Promise<Array<Pick<MediaSet, '_id' | 'images'>>> {
    return this.sets.find({ _id: { $in: ids }, request, undone: true }, { projection: { _id: 1, images: 1 } }).toArray()
  }

  /** Those sets of one request whose images are all fetched and attached. */
  async findDone(ids: string[], request: string): Promise<Set<string>> {
    const done = await this.sets
      .find({ _id: { $in: ids }, request, settled: true, undone: false }, { projection: { _id: 1 } })
      .toArray()
    return new Set(done.map((set) => set._id))
  }

  /** The requested images of each set. Those of thousands of sets would fill the memory. */
  readImages(ids: string[]): AsyncIterable<Pick<MediaSet, '_id' | 'images'>> {
    return this.sets.find({ _id: { $in: ids } }, { projection: { images: 1 }, batchSize: ids.length + 1 })
  }

  private async findHighestJobId(): Promise<number> {
    const [last] = await this.sets
      .find({ undone: true }, { projection: { 'images.id': 1 } })
      .sort({ 'images.id': -1 })
      .limit(1)
      .toArray()
    return Math.max(0, ...(last?.images.map(({ id }) => id) ?? []))
  }

  /** @returns how many documents matched */
  private async write(operations: Array<AnyBulkWriteOperation<MediaSet>>): Promise<number> {
    if (operations.length === 0) return 0
    return (await retryConflicts(() => this.sets.bulkWrite(operations, { ordered: false }))).matchedCount
  }
}

/** The state of a set for which there is nothing to do. */
const nothingRequested = {
  images: [],
  undone: false,
  allowed_hosts: [],
  hosts: [],
  settled: true,
  owed: [],
  retry_at: NEVER,
  due_at: NEVER,
  owner: 'none',
}

/** Matches a set that no later batch has written. */
function notAfter({ item_rev, received_at }: BatchOrder): Filter<MediaSet> {
  return {
    $or: [{ item_rev: { $not: { $gte: item_rev } } }, { item_rev, received_at: { $not: { $gt: received_at } } }],
  }
}

function noneOf(hosts: string[]): { hosts?: { $nin: string[] } } {
  return hosts.length === 0 ? {} : { hosts: { $nin: hosts } }
}

function sortById<T>(list: readonly T[], id: (one: T) => string): T[] {
  return list.toSorted((a, b) => (id(a) < id(b) ? -1 : 1))
}

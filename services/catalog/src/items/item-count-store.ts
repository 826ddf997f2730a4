import { highestId } from '@partsbus/platform/mongo/highest-id'
import type { Collection } from 'mongodb'
import type { ItemDocument } from './item-document.js'

/** More ids than can be allocated while one batch is being written. */
const UNSETTLED_IDS = 1_000_000
/** Ids that are counted together. */
const CHUNK = 65_536
/** Items that are skipped rather than counted. */
const MAX_SKIP = 500
const MAX_LOOKS = 8

/**
 * Exact numbers of items without a scan each time. Items are never deleted and ids count up, so the number of items up
 * to an id far below the highest one never changes, nor does that of a chunk in which every id is stored: these are
 * counted once.
 */
export class ItemCountStore {
  /** ids up to this one, and how many of them are stored */
  private settled = { id: 0, count: 0 }
  /** last ids of full chunks above the settled ids */
  private readonly full = new Set<number>()
  private highest = 0

  constructor(private readonly collection: Pick<Collection<ItemDocument>, 'countDocuments' | 'findOne'>) {}

  /** The highest id of a stored item; 0 when there is none. */
  async findHighestId(): Promise<number> {
    this.highest = await highestId(this.collection, 'id', this.highest)
    return this.highest
  }

  async countAll(): Promise<number> {
    return this.countUpTo(await this.findHighestId())
  }

  /** How many items have an id up to this one. */
  async countUpTo(id: number): Promise<number> {
    await this.settle()
    if (id < this.settled.id) {
      const isNearer = id < this.settled.id - id
      return isNearer ? this.count(0, id) : this.settled.count - (await this.count(id, this.settled.id))
    }
    let count = this.settled.count
    let from = this.settled.id
    for (; from + CHUNK <= id; from += CHUNK) count += await this.countChunk(from)
    return count + (await this.count(from, id))
  }

  /**
   * Where a page begins that leaves out this many items: after an id, and after `skip` further ones. Without gaps in
   * the ids both numbers are the same.
   */
  async findPosition(items: number): Promise<{ after: number; skip: number }> {
    if (items <= MAX_SKIP) return { after: 0, skip: items }
    const highest = await this.findHighestId()
    let after = Math.min(items, highest)
    let skip = items - (await this.countUpTo(after))
    // below 0 when a batch stored items with lower ids between two counts
    const isFar = (): boolean => skip < 0 || (skip > MAX_SKIP && after < highest)
    for (let look = 0; isFar() && look < MAX_LOOKS; look += 1) {
      after = Math.min(after + skip, highest)
      skip = items - (await this.countUpTo(after))
    }
    return skip < 0 ? { after: 0, skip: items } : { after, skip }
  }

  private async settle(): Promise<void> {
    const { id, count } = this.settled
    const next = Math.floor((this.highest - UNSETTLED_IDS) / CHUNK) * CHUNK
    if (next - id < UNSETTLED_IDS) return
    this.settled = { id: next, count: count + (await this.count(id, next)) }
    for (const end of this.full) if (end <= next) this.full.delete(end)
  }

  private async countChunk(after: number): Promise<number> {
    const end = after + CHUNK
    if (this.full.has(end)) return CHUNK
    const count = await this.count(after, end)
    if (count === CHUNK) this.full.add(end)
    return count
  }

  private count(after: number, upTo: number): Promise<number> {
    return after >= upTo ? Promise.resolve(0) : this.collection.countDocuments({ id: { $gt: after, $lte: upTo } })
  }
}

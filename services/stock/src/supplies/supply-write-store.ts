import { collectDuplicates, isDuplicateKey, retryConflicts } from '@partsbus/platform/mongo/errors'
import type { BulkWriteResult, Collection } from 'mongodb'
import type { SupplyDocument } from './supply-document.js'
import type { SupplyIds } from './supply-ids.js'
import type { SupplyWrite } from './supply-writes.js'

/**
 * Writes batches of supplies. An upsert takes twice the time of an insert, so a batch updates the supplies that exist
 * and inserts the others. It updates at once, and reads only when some do not exist; after such a batch the next one
 * reads first (docs/decisions/0038-new-supplies.md).
 */
export class SupplyWriteStore {
  private expectsNew = false

  constructor(
    private readonly supplies: Collection<SupplyDocument>,
    private readonly ids: SupplyIds,
  ) {}

  /**
   * Every write is made; one that meets the same write of another batch may be made twice.
   * @returns the supplies that were inserted
   */
  async write(writes: SupplyWrite[]): Promise<SupplyDocument[]> {
    if (writes.length === 0) return []
    // the same order in all writers: on FerretDB opposite orders block each other
    const sorted = writes.sort(byId)
    const matched = this.expectsNew ? 0 : await this.update(sorted)
    if (matched === sorted.length) return []
    const stored = await this.findStored(sorted)
    // no supply is written twice, or a reader could see 5, another batch's 7, and 5 again; if there are more than the
    // update found, another batch has created some since, and nobody can tell which
    const known = matched === stored.size ? [] : sorted.filter(({ _id }) => stored.has(_id))
    const missing = sorted.filter(({ _id }) => !stored.has(_id))
    this.expectsNew = missing.length > 0
    const [{ inserted, refused }, updated] = await Promise.all([this.insert(missing), this.update(known)])
    // another batch has created some in between, or some were deleted
    const contested = updated === known.length ? refused : [...refused, ...known].sort(byId)
    if (contested.length > 0) await this.upsert(contested)
    return inserted
  }

  private async findStored(writes: readonly SupplyWrite[]): Promise<Set<string>> {
    const keys = writes.map(({ _id }) => _id)
    const found = await this.supplies
      .find({ _id: { $in: keys } }, { projection: { _id: 1 }, batchSize: keys.length + 1 })
      .toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  /** @returns how many of the supplies exist */
  private async update(writes: readonly SupplyWrite[]): Promise<number> {
    if (writes.length === 0) return 0
    const operations = writes.map(({ _id, set, increment }) => ({
      updateOne: { filter: { _id }, update: { $set: set, $inc: increment } },
    }))
    const { matchedCount } = await retryConflicts(() => this.supplies.bulkWrite(operations, { ordered: false }))
    return matchedCount
  }

  /** Those that exist already are refused. */
  private async insert(
    writes: readonly SupplyWrite[],
  ): Promise<{ inserted: SupplyDocument[]; refused: SupplyWrite[] }> {
    if (writes.length === 0) return { inserted: [], refused: [] }
    const ids = await this.ids.reserve(writes.length)
    const documents = writes.map(({ create }, at) => create(ids[at] as number))
    const duplicates = await retryConflicts(() =>
      collectDuplicates(() => this.supplies.insertMany(documents, { ordered: false })),
    )
    if (duplicates.length === 0) return { inserted: documents, refused: [] }
    const positions = new Set(duplicates.map(({ position }) => position))
    return {
      inserted: documents.filter((_document, at) => !positions.has(at)),
      refused: writes.filter((_write, at) => positions.has(at)),
    }
  }

  private async upsert(writes: readonly SupplyWrite[]): Promise<void> {
    const ids = await this.ids.reserve(writes.length)
    const operations = writes.map((write, at) => {
      const { _id, set, increment } = write
      const update = { $set: set, $inc: increment, $setOnInsert: initialFields(write, ids[at] as number) }
      return { updateOne: { filter: { _id }, update, upsert: true } }
    })
    let attempts = 0
    const written = await retryConflicts(() =>
      retryDuplicates(() => {
        attempts += 1
        return this.supplies.bulkWrite(operations, { ordered: false })
      }),
    )
    // after a retry it is unknown which ids the first attempt used
    if (attempts === 1) this.ids.release(unusedIds(ids, written))
  }
}

function byId(one: { _id: string }, other: { _id: string }): number {
  return one._id < other._id ? -1 : 1
}

/** The fields of a new supply that the update does not write. */
function initialFields({ set, increment, create }: SupplyWrite, id: number): Partial<SupplyDocument> {
  const fields = Object.entries(create(id))
  return Object.fromEntries(fields.filter(([name]) => name !== '_id' && !(name in set) && !(name in increment)))
}

function unusedIds(ids: readonly number[], { upsertedIds }: BulkWriteResult): number[] {
  return ids.filter((_id, at) => !(at in upsertedIds))
}

/** Two processes may create one supply at once; the second attempt of the loser updates it. */
async function retryDuplicates<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (attempt >= 5 || !isDuplicateKey(error)) throw error
    }
  }
}

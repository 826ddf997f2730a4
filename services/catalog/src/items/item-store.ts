import { collectDuplicates, type RefusedWrite, retryConflicts } from '@partsbus/platform/mongo/errors'
import type { NamedIndex } from '@partsbus/platform/mongo/indexes'
import type {
  AnyBulkWriteOperation,
  Collection,
  Filter,
  MatchKeysAndValues,
  OptionalUnlessRequiredId,
  UpdateFilter,
} from 'mongodb'
import { type ItemDocument, nextBatches } from './item-document.js'
import { SlugTurns } from './slug-turns.js'

export const SLUG_INDEX = 'slug_unique'
export const ID_INDEX = 'id_unique'

/** A large batch goes to the database in two parts side by side, unless other batches keep it busy anyway. */
const LANES = 2
const MIN_LANE = 250

/** An update of one item that holds only while nobody else wrote it. */
export interface Change<Doc extends ItemDocument> {
  stored: Doc
  changes: Partial<Doc>
}

/** A document the database refused, and by which index. */
export interface Refused {
  key: string
  index: string
}

/** What every kind of item is found by. */
export const itemIndexes: NamedIndex[] = [
  { name: ID_INDEX, key: { id: 1 }, options: { unique: true } },
  { name: SLUG_INDEX, key: { slug: 1 }, options: { unique: true } },
]

/** Reads and writes whole batches of one kind of item. Every write is in the order of `_id`, so that batches cannot lock each other out. */
export class ItemStore<Doc extends ItemDocument> {
  readonly collection: Collection<Doc>
  private lastTurn: Promise<void> = Promise.resolve()
  private running = 0
  private readonly slugTurns = new SlugTurns()

  constructor(collection: Collection<Doc>) {
    this.collection = collection
  }

  /** Waits until no other batch of this process repeats a contested write. @returns what lets the next one go on */
  async takeTurn(): Promise<() => void> {
    const before = this.lastTurn
    let end = (): void => undefined
    this.lastTurn = new Promise((done) => {
      end = done
    })
    await before
    return end
  }

  async findByErpIds(keys: readonly string[]): Promise<Map<string, Doc>> {
    const found = await this.inLanes(keys, (lane) =>
      this.collection.find<Doc>({ _id: { $in: lane } } as Filter<Doc>, { batchSize: lane.length + 1 }).toArray(),
    )
    return new Map(found.flat().map((doc) => [doc._id, doc]))
  }

  /** What tells which batches wrote these items. */
  async marksOf(keys: readonly string[]): Promise<Map<string, Pick<Doc, '_id' | 'id' | 'batches' | 'updated_at'>>> {
    const found = await this.collection
      .find<Doc>({ _id: { $in: keys } } as Filter<Doc>, {
        projection: { id: 1, batches: 1, updated_at: 1 },
        batchSize: keys.length + 1,
      })
      .toArray()
    return new Map(found.map((doc) => [doc._id, doc]))
  }

  /** One page by `id`, and how many there are in all. */
  async page(
    filter: Filter<Doc>,
    { page, per_page }: { page: number; per_page: number },
  ): Promise<{ docs: Doc[]; total: number }> {
    const [docs, total] = await Promise.all([
      this.collection
        .find<Doc>(filter, { batchSize: per_page + 1 })
        .sort({ id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.collection.countDocuments(filter),
    ])
    return { docs, total }
  }

  /** @returns those that were refused as duplicates; all others are stored */
  async insert(docs: Doc[]): Promise<Refused[]> {
    const turn = await this.slugTurns.take(docs.map(({ slug }) => slug))
    const stored: string[] = []
    try {
      const [late, free] = [
        docs.filter(({ slug }) => turn.taken.has(slug)),
        docs.filter(({ slug }) => !turn.taken.has(slug)),
      ]
      const refused = (await this.inLanes(free.sort(byId), (lane) => this.insertLane(lane))).flat()
      const lost = new Set(refused.map(({ key }) => key))
      stored.push(...free.filter(({ _id }) => !lost.has(_id)).map(({ slug }) => slug))
      return [...late.map(({ _id }) => ({ key: _id, index: SLUG_INDEX })), ...refused]
    } finally {
      turn.end(stored)
    }
  }

  /** @returns `all`: whether every change was made; when it is false, the items tell which were */
  async update(changes: Change<Doc>[], batch: string, now: Date): Promise<{ all: boolean; refused: Refused[] }> {
    const turn = await this.slugTurns.take(changes.flatMap((change) => change.changes.slug ?? []))
    let matched = 0
    try {
      const refused = await this.inLanes(
        changes.sort((a, b) => byId(a.stored, b.stored)),
        async (lane) => {
          const operations = lane.map((change) => updateOne(change, batch, now))
          return name(
            await retryConflicts(() =>
              collectDuplicates(async () => {
                const { matchedCount } = await this.collection.bulkWrite(operations, { ordered: false })
                matched += matchedCount
              }),
            ),
            lane.map((change) => change.stored),
          )
        },
      )
      return { all: matched === changes.length, refused: refused.flat() }
    } finally {
      turn.end([])
    }
  }

  private async insertLane(lane: Doc[]): Promise<Refused[]> {
    return name(
      await retryConflicts(() =>
        collectDuplicates(() =>
          this.collection.insertMany(lane as OptionalUnlessRequiredId<Doc>[], { ordered: false }),
        ),
      ),
      lane,
    )
  }

  private async inLanes<T, Result>(all: readonly T[], work: (lane: T[]) => Promise<Result>): Promise<Result[]> {
    if (all.length === 0) return []
    const lanes = this.running > 0 ? 1 : Math.min(LANES, Math.ceil(all.length / MIN_LANE))
    const size = Math.ceil(all.length / lanes)
    this.running += 1
    try {
      return await Promise.all(Array.from({ length: lanes }, (_, at) => work(all.slice(at * size, (at + 1) * size))))
    } finally {
      this.running -= 1
    }
  }

  /** Which of these slugs are in use. A hint for the next candidate, never a judgement. */
  async slugsInUse(slugs: string[]): Promise<Set<string>> {
    const found = await this.collection
      .find<Pick<ItemDocument, 'slug'>>({ slug: { $in: slugs } } as Filter<Doc>, { projection: { _id: 0, slug: 1 } })
      .toArray()
    return new Set(found.map((doc) => doc.slug))
  }
}

function updateOne<Doc extends ItemDocument>(
  { stored, changes }: Change<Doc>,
  batch: string,
  now: Date,
): AnyBulkWriteOperation<Doc> {
  const set = { ...changes, rev: stored.rev + 1, batches: nextBatches(stored, batch, now), updated_at: now }
  return {
    updateOne: {
      filter: { _id: stored._id, rev: stored.rev } as Filter<Doc>,
      update: { $set: set as unknown as MatchKeysAndValues<Doc> } as UpdateFilter<Doc>,
    },
  }
}

function byId(a: { _id: string }, b: { _id: string }): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0
}

function name(refused: RefusedWrite[], written: { _id: string }[]): Refused[] {
  return refused.map(({ position, index }) => ({ key: written[position]?._id ?? '', index }))
}

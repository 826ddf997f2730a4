import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import { brandKey } from '@partsbus/contracts/article'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { withTimeLimit } from '@partsbus/platform/mongo/with-time-limit'
import { LRUCache } from 'lru-cache'
import { type Collection, Db } from 'mongodb'
import type { HttpSupplier } from '../dialects/dialect.js'
import { compareTexts } from '../search/order.js'

interface SpellingDocument {
  /** `<supplier> <brand key>` */
  _id: string
  spellings: string[]
  seen_at: Date
}

/** The index keeps the time it was made with: another one needs an index of another key, or `collMod` by hand. */
const KEPT_SECONDS = 30 * 86_400
/** A brand without known spellings is looked up again after this time: other replicas learn too. */
const LOOK_UP_AGAIN_MS = 60_000
/** A known spelling is written again after this time, so that it does not expire. */
const REFRESH_MS = 86_400_000
const MAX_IN_MEMORY = 100_000
/** Suppliers whose stored brands are counted. */
const MAX_COUNTED = 5_000
/** Spellings of one brand by one supplier. */
const MAX_SPELLINGS = 10
/** Spellings learned from one reply; an article has far fewer brands. */
const MAX_LEARNED = 200
/** Brands of one supplier that are stored. */
const MAX_BRANDS = 10_000
/** Replies whose spellings are being stored; further ones are not learned from. */
const MAX_WRITES = 20
/** Brands looked up in the database for one query. */
const MAX_LOOKED_UP = 2_000

type Known = (supplier: HttpSupplier, brandKeys: readonly string[]) => readonly string[]

const NONE: readonly string[] = []

/**
 * How each supplier spells each brand, learned from its lists of brands: a supplier gets queries for parts in its own
 * spelling, by every replica. Stored in the database, and in memory for repeated queries.
 */
@Injectable()
export class SpellingStore implements OnModuleInit, OnApplicationShutdown {
  private readonly collection: Collection<SpellingDocument>
  private readonly known = new LRUCache<string, { spellings: Set<string>; learnedAt: number }>({ max: MAX_IN_MEMORY })
  private readonly counts = new LRUCache<string, number>({ max: MAX_COUNTED, ttl: LOOK_UP_AGAIN_MS })
  private readonly writes = new Set<Promise<void>>()

  constructor(db: Db) {
    this.collection = db.collection('supplier_spellings')
  }

  onModuleInit(): Promise<void> {
    return ensureIndexes(this.collection, [
      { name: 'seen_at_ttl', key: { seen_at: 1 }, options: { expireAfterSeconds: KEPT_SECONDS } },
    ])
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.writes)
  }

  /** Stores the brands of a reply; within limits, as suppliers choose what they send. */
  async learn(supplier: HttpSupplier, brands: readonly string[]): Promise<void> {
    const fresh = this.selectFresh(supplier, brands)
    if (fresh.size === 0 || this.writes.size >= MAX_WRITES) return
    const write = this.write(supplierKey(supplier), fresh)
    this.writes.add(write)
    try {
      await write
    } finally {
      this.writes.delete(write)
    }
  }

  /**
   * Reads what these suppliers are known to write for these brand keys.
   * @returns a function that gives the spellings, none when they are unknown or not read within `limitMs`
   */
  async read(suppliers: readonly HttpSupplier[], keys: readonly string[], limitMs: number): Promise<Known> {
    const unknown = new Set<string>()
    for (const supplier of suppliers) {
      const name = supplierKey(supplier)
      for (const key of keys) if (!this.isKnown(`${name} ${key}`)) unknown.add(`${name} ${key}`)
    }
    if (unknown.size > 0) await this.lookUp([...unknown].slice(0, MAX_LOOKED_UP), limitMs)
    return (supplier, brandKeys) => {
      const name = supplierKey(supplier)
      const spellings = new Set<string>()
      for (const key of brandKeys)
        for (const spelling of this.known.get(`${name} ${key}`)?.spellings ?? []) spellings.add(spelling)
      return spellings.size === 0 ? NONE : [...spellings].sort(compareTexts)
    }
  }

  private selectFresh(supplier: HttpSupplier, brands: readonly string[]): Map<string, Set<string>> {
    const fresh = new Map<string, Set<string>>()
    const name = supplierKey(supplier)
    for (const brand of new Set(brands)) {
      const id = `${name} ${brandKey(brand)}`
      const known = this.known.get(id)
      const isKnown = known && (known.spellings.has(brand) || known.spellings.size >= MAX_SPELLINGS)
      if (isKnown && Date.now() - known.learnedAt < REFRESH_MS) continue
      if (fresh.size >= MAX_LEARNED && !fresh.has(id)) break
      fresh.set(id, (fresh.get(id) ?? new Set()).add(brand))
    }
    return fresh
  }

  private async write(name: string, fresh: ReadonlyMap<string, Set<string>>): Promise<void> {
    if ((await this.countBrands(name)) + fresh.size > MAX_BRANDS) return
    const seen_at = new Date()
    const operations = [...fresh]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([_id, spellings]) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { seen_at }, $addToSet: { spellings: { $each: [...spellings].slice(0, MAX_SPELLINGS) } } },
          upsert: true,
        },
      }))
    const { upsertedCount } = await retryConflicts(() => this.collection.bulkWrite(operations, { ordered: false }))
    this.counts.set(name, (this.counts.get(name) ?? 0) + upsertedCount)
    for (const [id, spellings] of fresh) this.remember(id, spellings)
  }

  private async countBrands(name: string): Promise<number> {
    const counted = this.counts.get(name)
    if (counted !== undefined) return counted
    const ids = { _id: { $gte: `${name} `, $lt: `${name}!` } }
    const count = await this.collection.countDocuments(ids, { limit: MAX_BRANDS })
    this.counts.set(name, count)
    return count
  }

  /** A slow database must not delay the query, which then sends every spelling of its brands. */
  private async lookUp(ids: readonly string[], limitMs: number): Promise<void> {
    const stored = await withTimeLimit(limitMs, (limit) =>
      this.collection.find({ _id: { $in: [...ids] } }, limit).toArray(),
    )
    const found = new Map(stored.map(({ _id, spellings }) => [_id, spellings]))
    for (const id of ids) this.remember(id, found.get(id) ?? [])
  }

  private isKnown(id: string): boolean {
    const known = this.known.get(id)
    return known !== undefined && (known.spellings.size > 0 || Date.now() - known.learnedAt < LOOK_UP_AGAIN_MS)
  }

  private remember(id: string, spellings: Iterable<string>): void {
    const all = new Set([...(this.known.get(id)?.spellings ?? []), ...spellings])
    this.known.set(id, { spellings: all, learnedAt: Date.now() })
  }
}

/** A supplier is identified by its address and dialect, in whatever storage it is configured. */
function supplierKey(supplier: Readonly<HttpSupplier>): string {
  let key = supplierKeys.get(supplier)
  if (key === undefined) {
    key = `${supplier.dialect ?? 'standard'} ${supplier.base_url}`
    supplierKeys.set(supplier, key)
  }
  return key
}

/** A cached list of storages is used for many queries. */
const supplierKeys = new WeakMap<Readonly<HttpSupplier>, string>()

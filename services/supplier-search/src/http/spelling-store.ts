import { brandKey } from '@partsbus/contracts/article'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Collection } from 'mongodb'
import type { HttpSupplier } from '../dialects/dialect.js'
import { compareTexts } from '../search/order.js'

interface SpellingDocument {
  /** `<supplier> <brand key>` */
  _id: string
  spellings: string[]
  seen_at: Date
}

const KEPT_SECONDS = 30 * 86_400
/** What nobody had learned is looked up again this often: other replicas learn too. */
const ASK_AGAIN_MS = 60_000
/** What is known well is written again this often, so that it stays. */
const REFRESH_MS = 86_400_000
const MAX_KNOWN = 100_000
/** Spellings of one brand by one supplier; more is no writing but noise. */
const MAX_SPELLINGS = 10
/** Looked up in the database for one question. */
const MAX_LOOKED_UP = 2_000

/**
 * How each supplier writes each brand, learned from its lists of brands: a supplier is asked for parts in its own
 * spelling, whichever replica it told. Kept in the database, and in memory for those who ask again.
 */
export class SpellingStore {
  private readonly collection: Collection<SpellingDocument>
  private readonly known = new Map<string, { spellings: Set<string>; learnedAt: number }>()

  constructor(collection: Collection<SpellingDocument>) {
    this.collection = collection
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.collection, [
      { name: 'seen_at_ttl', key: { seen_at: 1 }, options: { expireAfterSeconds: KEPT_SECONDS } },
    ])
  }

  /** Remembers the brands of an answer. */
  async learn(supplier: HttpSupplier, brands: readonly string[]): Promise<void> {
    const fresh = new Map<string, Set<string>>()
    const name = nameOf(supplier)
    for (const brand of brands) {
      const id = `${name} ${brandKey(brand)}`
      const known = this.known.get(id)
      const isKnown = known && (known.spellings.has(brand) || known.spellings.size >= MAX_SPELLINGS)
      if (isKnown && Date.now() - known.learnedAt < REFRESH_MS) continue
      fresh.set(id, (fresh.get(id) ?? new Set()).add(brand))
    }
    if (fresh.size === 0) return
    const seen_at = new Date()
    const operations = [...fresh]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([_id, spellings]) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { seen_at }, $addToSet: { spellings: { $each: [...spellings] } } },
          upsert: true,
        },
      }))
    await retryConflicts(() => this.collection.bulkWrite(operations, { ordered: false }))
    for (const [id, spellings] of fresh) this.remember(id, spellings)
  }

  /**
   * What these suppliers are known to write for these brand keys.
   * @returns a function that tells it; empty where nothing is known
   */
  async recall(
    suppliers: readonly HttpSupplier[],
    keys: readonly string[],
  ): Promise<(supplier: HttpSupplier) => string[]> {
    const names = [...new Set(suppliers.map(nameOf))]
    const unknown = names
      .flatMap((name) => keys.map((key) => `${name} ${key}`))
      .filter((id) => !this.isKnown(id))
      .slice(0, MAX_LOOKED_UP)
    if (unknown.length > 0) {
      const found = new Map(
        (await this.collection.find({ _id: { $in: unknown } }).toArray()).map(({ _id, spellings }) => [_id, spellings]),
      )
      for (const id of unknown) this.remember(id, found.get(id) ?? [])
    }
    return (supplier) => {
      const name = nameOf(supplier)
      return [...new Set(keys.flatMap((key) => [...(this.known.get(`${name} ${key}`)?.spellings ?? [])]))].sort(
        compareTexts,
      )
    }
  }

  private isKnown(id: string): boolean {
    const known = this.known.get(id)
    return known !== undefined && (known.spellings.size > 0 || Date.now() - known.learnedAt < ASK_AGAIN_MS)
  }

  private remember(id: string, spellings: Iterable<string>): void {
    const all = new Set([...(this.known.get(id)?.spellings ?? []), ...spellings])
    this.known.delete(id)
    this.known.set(id, { spellings: all, learnedAt: Date.now() })
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.keys().next().value ?? '')
  }
}

/** A supplier is who answers at an address, whatever the storage is called and whoever asks. */
function nameOf({ base_url, dialect = 'standard' }: HttpSupplier): string {
  return `${dialect} ${base_url}`
}

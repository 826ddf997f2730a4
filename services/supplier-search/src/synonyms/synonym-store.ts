import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Collection } from 'mongodb'
import { keysOf, type SynonymGroup } from './brand-names.js'

interface SynonymDocument {
  _id: number
  canonical: string
  synonyms: string[]
  /** all spellings as they are compared; unique over all groups */
  keys: string[]
  rev: number
}

/** Name of the counter that tells one state of the groups from another. */
const CHANGES = 'brand_synonym_changes'

/** Groups of brand spellings. The unique index on `keys` is the judge of a spelling being in one group only. */
export class SynonymStore {
  private readonly groups: Collection<SynonymDocument>
  private readonly counters: CounterStore
  private readonly changed: () => Promise<void>

  /** @param changed is waited for after each change */
  constructor(groups: Collection<SynonymDocument>, counters: CounterStore, changed: () => Promise<void>) {
    this.groups = groups
    this.counters = counters
    this.changed = changed
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.groups, [{ name: 'keys_unique', key: { keys: 1 }, options: { unique: true } }])
  }

  async list({ page, per_page }: PageRequest): Promise<Page<SynonymGroup>> {
    const [rows, total] = await Promise.all([
      this.groups
        .find()
        .sort({ _id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.groups.countDocuments(),
    ])
    return { data: rows.map(toGroup), total, page, per_page }
  }

  async find(id: number): Promise<(SynonymGroup & { rev: number }) | undefined> {
    const found = await this.groups.findOne({ _id: id })
    return found ? { ...toGroup(found), rev: found.rev } : undefined
  }

  /** Raised before and after each change; who has read it knows whether what he read under it still stands. */
  revision(): Promise<number> {
    return this.counters.last(CHANGES)
  }

  /** The groups that any of these brand keys is in, by id. */
  async groupsOf(keys: readonly string[]): Promise<SynonymGroup[]> {
    if (keys.length === 0) return []
    const rows = await this.groups
      .find({ keys: { $in: [...new Set(keys)] } })
      .sort({ _id: 1 })
      .toArray()
    return rows.map(toGroup)
  }

  /** @returns undefined when another group holds one of the spellings */
  async insert(fields: Omit<SynonymGroup, 'id'>): Promise<SynonymGroup | undefined> {
    const id = await this.counters.allocate('brand_synonyms', 1)
    const { canonical, synonyms } = fields
    const done = await this.change(() =>
      unlessTaken(() => this.groups.insertOne({ _id: id, canonical, synonyms, keys: keysOf(fields), rev: 1 })),
    )
    return done === 'taken' ? undefined : { id, canonical, synonyms }
  }

  /** @returns `lost` when somebody else wrote it since it was read */
  async replace(group: SynonymGroup & { rev: number }): Promise<'done' | 'taken' | 'lost'> {
    const { id, canonical, synonyms, rev } = group
    const done = await this.change(() =>
      unlessTaken(() =>
        this.groups.replaceOne({ _id: id, rev }, { canonical, synonyms, keys: keysOf(group), rev: rev + 1 }),
      ),
    )
    if (done === 'taken') return done
    return done.matchedCount === 1 ? 'done' : 'lost'
  }

  /** @returns whether it was there */
  async delete(id: number): Promise<boolean> {
    return (await this.change(() => this.groups.deleteOne({ _id: id }))).deletedCount === 1
  }

  private async change<T>(write: () => Promise<T>): Promise<T> {
    await this.counters.allocate(CHANGES, 1)
    const done = await write()
    await this.counters.allocate(CHANGES, 1)
    await this.changed()
    return done
  }
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateKey(error)) return 'taken'
    throw error
  }
}

function toGroup({ _id, canonical, synonyms }: SynonymDocument): SynonymGroup {
  return { id: _id, canonical, synonyms }
}

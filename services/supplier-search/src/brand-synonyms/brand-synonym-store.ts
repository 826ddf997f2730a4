import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { Page, KeysetRequest } from '@partsbus/contracts/paging'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { containsText, searchedText } from '@partsbus/platform/mongo/contains-text'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { deleteRevised } from '@partsbus/platform/mongo/delete-revised'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { withTimeLimit } from '@partsbus/platform/mongo/with-time-limit'
import { type Collection, Db } from 'mongodb'
import { groupKeys, type SynonymGroup } from './brand-names.js'

interface BrandSynonymDocument {
  _id: number
  canonical: string
  synonyms: string[]
  /** the keys of all spellings; unique over all groups */
  keys: string[]
  rev: number
}

/** The unique index on `keys` guarantees that a spelling belongs to one group. Each change invalidates the caches. */
@Injectable()
export class BrandSynonymStore implements OnModuleInit {
  private readonly groups: Collection<BrandSynonymDocument>

  constructor(
    db: Db,
    private readonly counters: CounterStore,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.groups = db.collection('brand_synonyms')
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.groups, [{ name: 'keys_unique', key: { keys: 1 }, options: { unique: true } }])
    await this.counters.startAbove('brand_synonyms', () => highestId(this.groups))
  }

  async list({ q, after_id, ...request }: KeysetRequest & { q?: string | undefined }): Promise<Page<SynonymGroup>> {
    const text = searchedText(q)
    const filter =
      text === undefined ? {} : { $or: [{ canonical: containsText(text) }, { synonyms: containsText(text) }] }
    if (after_id === undefined) return findPage(this.groups, filter, { _id: 1 }, request, toGroup)
    const behind = { $and: [filter, { _id: { $gt: after_id } }] }
    const { data } = await findPage(this.groups, behind, { _id: 1 }, { ...request, page: 1 }, toGroup)
    return { ...request, data, total: await this.groups.countDocuments(filter) }
  }

  async get(id: number): Promise<(SynonymGroup & { rev: number }) | undefined> {
    const found = await this.groups.findOne({ _id: id })
    return found ? { ...toGroup(found), rev: found.rev } : undefined
  }

  /** The groups that contain any of these brand keys, by id. */
  async findByKeys(keys: readonly string[]): Promise<SynonymGroup[]> {
    if (keys.length === 0) return []
    const rows = await this.groups
      .find({ keys: { $in: [...new Set(keys)] } })
      .sort({ _id: 1 })
      .toArray()
    return rows.map(toGroup)
  }

  /** All groups; undefined when there are more than `limit`. */
  async findAll(limit: number, withinMs: number): Promise<SynonymGroup[] | undefined> {
    const rows = await withTimeLimit(withinMs, (timeLimit) =>
      this.groups
        .find({}, timeLimit)
        .sort({ _id: 1 })
        .limit(limit + 1)
        .toArray(),
    )
    return rows.length > limit ? undefined : rows.map(toGroup)
  }

  /** @returns undefined when another group has one of the spellings */
  async insert({ canonical, synonyms }: Omit<SynonymGroup, 'id'>): Promise<SynonymGroup | undefined> {
    const id = await this.counters.allocate('brand_synonyms', 1)
    const document = { _id: id, canonical, synonyms, keys: groupKeys({ canonical, synonyms }), rev: 1 }
    const isInserted = await unlessDuplicate(async () => (await this.groups.insertOne(document)).acknowledged)
    if (isInserted) await this.invalidate()
    return isInserted ? { id, canonical, synonyms } : undefined
  }

  /** @returns false when the group was changed since it was read, or another group has one of the spellings */
  async replace({ id, rev, canonical, synonyms }: SynonymGroup & { rev: number }): Promise<boolean> {
    const fields = { canonical, synonyms, keys: groupKeys({ canonical, synonyms }), rev: rev + 1 }
    const isReplaced = await unlessDuplicate(
      async () => (await this.groups.replaceOne({ _id: id, rev }, fields)).matchedCount === 1,
    )
    if (isReplaced) await this.invalidate()
    return isReplaced
  }

  /** @returns false when the group is gone, or its revision is not accepted */
  async delete(id: number, accepted?: readonly number[]): Promise<boolean> {
    const isDeleted = await deleteRevised(this.groups, id, accepted, 'rev')
    await this.invalidate()
    return isDeleted
  }

  private invalidate(): Promise<void> {
    return publishInvalidation(this.bus, changes.brandSynonyms)
  }
}

async function unlessDuplicate(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

function toGroup({ _id, canonical, synonyms }: BrandSynonymDocument): SynonymGroup {
  return { id: _id, canonical, synonyms }
}

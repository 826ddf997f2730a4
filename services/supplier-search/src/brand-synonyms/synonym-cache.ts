import { Inject, Injectable } from '@nestjs/common'
import { brandKey } from '@partsbus/contracts/article'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { CoalescedReads } from '../suppliers/coalesced-reads.js'
import { BrandNames, groupKeys, type SynonymGroup } from './brand-names.js'
import { BrandSynonymStore } from './brand-synonym-store.js'

/** Groups by brand key. */
interface Groups {
  /** undefined for a key that no group contains */
  byKey: Map<string, SynonymGroup | undefined>
  /** whether keys that are missing belong to no group */
  areAll: boolean
}

/** As many groups, with as many brands, are read at once, in a few milliseconds; shops have some dozens. */
const MAX_GROUPS = 500
const MAX_KEYS = 10_000
/** When there were more, they are read by key, and counted again after this time. */
const COUNT_AGAIN_MS = 60_000
const READ_MS = 4_000

/**
 * The synonym groups: all of them, or where there are many, those that recent queries needed, read key by key into one
 * map. They are dropped when a change is announced, and after a second at the latest
 * (docs/decisions/0011-search-caches.md).
 */
@Injectable()
export class SynonymCache {
  private readonly cache: InvalidatedCache<Groups>
  private readByKeyUntil = 0

  constructor(
    private readonly store: BrandSynonymStore,
    private readonly reads: CoalescedReads,
    @Inject(BUS) bus: BusConnection,
  ) {
    this.cache = new InvalidatedCache(bus, changes.brandSynonyms)
  }

  /**
   * The groups for {@link resolve}, read while the brands of a query are not known yet.
   * @throws AppError TIMEOUT after `limitMs`
   */
  async load(limitMs: number): Promise<Groups> {
    // those that are read by key fill the map; a new map would be empty
    const refresh = performance.now() < this.readByKeyUntil ? undefined : () => this.read(READ_MS)
    return this.cache.get('groups', refresh) ?? this.read(limitMs)
  }

  /**
   * These brands with the groups that contain them.
   * @param loading the result of {@link load}; undefined when it failed, so that it is tried again
   * @throws AppError TIMEOUT after `limitMs`
   */
  async resolve(
    brands: readonly string[],
    limitMs: number,
    loading?: Promise<Groups | undefined>,
  ): Promise<BrandNames> {
    const keys = [...new Set(brands.map(brandKey))]
    if (keys.length === 0) return new BrandNames([])
    // a query that began before a change may fill a map that no later query reads
    const { byKey, areAll } = (await loading) ?? (await this.load(limitMs))
    const missing = areAll ? [] : keys.filter((key) => !byKey.has(key))
    if (missing.length > 0) {
      const key = `synonyms ${JSON.stringify(missing)}`
      const loaded = await this.reads.read(key, limitMs, () => this.store.findByKeys(missing))
      for (const each of missing) byKey.set(each, undefined)
      for (const group of loaded) for (const each of groupKeys(group)) byKey.set(each, group)
    }
    return new BrandNames(keys.map((key) => byKey.get(key)).filter((group) => group !== undefined))
  }

  private read(limitMs: number): Promise<Groups> {
    if (performance.now() < this.readByKeyUntil)
      return this.cache.read('groups', async () => ({ byKey: new Map(), areAll: false }))
    return this.reads.read('synonyms', limitMs, () => this.cache.read('groups', () => this.readAll()))
  }

  private async readAll(): Promise<Groups> {
    const byKey: Groups['byKey'] = new Map()
    const groups = await this.store.findAll(MAX_GROUPS, READ_MS)
    const areAll =
      groups !== undefined && groups.reduce((keys, { synonyms }) => keys + synonyms.length + 1, 0) <= MAX_KEYS
    if (!areAll) this.readByKeyUntil = performance.now() + COUNT_AGAIN_MS
    else for (const group of groups) for (const key of groupKeys(group)) byKey.set(key, group)
    return { byKey, areAll }
  }
}

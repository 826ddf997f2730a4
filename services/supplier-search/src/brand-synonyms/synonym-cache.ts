import { Inject, Injectable } from '@nestjs/common'
import { brandKey } from '@partsbus/contracts/article'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { CoalescedReads } from '../suppliers/coalesced-reads.js'
import { BrandNames, groupKeys, type SynonymGroup } from './brand-names.js'
import { BrandSynonymStore } from './brand-synonym-store.js'

/** Groups by brand key; undefined for a key that no group contains. */
type Groups = Map<string, SynonymGroup | undefined>

/**
 * The synonym groups that recent queries needed. They are read key by key into one map, and the map is dropped when
 * a change is announced, and after a second at the latest (docs/decisions/0011-search-caches.md).
 */
@Injectable()
export class SynonymCache {
  private readonly cache: InvalidatedCache<Groups>

  constructor(
    private readonly store: BrandSynonymStore,
    private readonly reads: CoalescedReads,
    @Inject(BUS) bus: BusConnection,
  ) {
    this.cache = new InvalidatedCache(bus, changes.brandSynonyms)
  }

  /**
   * These brands with the groups that contain them.
   * @throws AppError TIMEOUT after `limitMs`
   */
  async resolve(brands: readonly string[], limitMs: number): Promise<BrandNames> {
    const keys = [...new Set(brands.map(brandKey))]
    if (keys.length === 0) return new BrandNames([])
    // a query that began before a change may fill a map that no later query reads
    const groups = this.cache.get('groups') ?? (await this.cache.read('groups', async (): Promise<Groups> => new Map()))
    const missing = keys.filter((key) => !groups.has(key))
    if (missing.length > 0) {
      const key = `synonyms ${JSON.stringify(missing)}`
      const loaded = await this.reads.read(key, limitMs, () => this.store.findByKeys(missing))
      for (const each of missing) groups.set(each, undefined)
      for (const group of loaded) for (const each of groupKeys(group)) groups.set(each, group)
    }
    return new BrandNames(keys.map((key) => groups.get(key)).filter((group) => group !== undefined))
  }
}

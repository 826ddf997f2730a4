import { Inject, Injectable } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { RequestOf } from '@partsbus/contracts/message'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { resolveStorages } from '@partsbus/contracts/stock/commands'
import { BusClient } from '@partsbus/platform/bus/client'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { CoalescedReads } from '../suppliers/coalesced-reads.js'
import { type Deadline, STORAGE_MS } from './deadline.js'
import { StaleStorages } from './stale-storages.js'
import type { QueriedStorage } from './storage-answer.js'

type Selection = RequestOf<typeof resolveStorages>

/**
 * The storages that a query goes to (partners.md#brands-1), read from the stock service once a second and after each
 * change; while that service is unavailable, those of the last read.
 */
@Injectable()
export class StorageLookup {
  private readonly cache: InvalidatedCache<QueriedStorage[]>
  private readonly stale = new StaleStorages()

  constructor(
    private readonly calls: BusClient,
    private readonly reads: CoalescedReads,
    @Inject(BUS) bus: BusConnection,
  ) {
    this.cache = new InvalidatedCache(bus, changes.storages)
  }

  /** @throws AppError UNAVAILABLE or TIMEOUT from the stock service */
  async find(selection: Selection, deadline: Deadline): Promise<QueriedStorage[]> {
    const ids = 'storage_ids' in selection ? selection.storage_ids : selection.pick_up_point_ids
    if (ids.length === 0) return []
    const key = JSON.stringify(selection)
    const cached = this.cache.get(key, () => this.read(key, selection, STORAGE_MS))
    return cached ?? this.read(key, selection, deadline.limit())
  }

  private read(key: string, selection: Selection, timeoutMs: number): Promise<QueriedStorage[]> {
    const request = async (): Promise<QueriedStorage[]> =>
      (await this.calls.request(resolveStorages, selection, { timeoutMs })).storages as QueriedStorage[]
    return this.stale.read(key, () =>
      this.reads.read(`storages ${key}`, timeoutMs, () => this.cache.read(key, request)),
    )
  }
}

/**
 * The selection of `get-brands` and `get-parts` (partners.md#parts-1).
 * @param points absent or null: the storages of the setting `storages_for_crosses`; else those of the points
 */
export function storageSelection(points: readonly number[] | null | undefined, settings: CallSettings): Selection {
  // ids begin at 1; any other is an unknown point
  return points
    ? { pick_up_point_ids: points.filter((id) => id > 0) }
    : { storage_ids: [...settings.storages_for_crosses] }
}

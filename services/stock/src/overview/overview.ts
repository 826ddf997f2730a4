import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import * as contract from '@partsbus/contracts/stock/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { PickUpPointStore } from '../pick-up-points/pick-up-point-store.js'
import { StorageStore, type StoredStorage } from '../storages/storage-store.js'
import { listUnreadableHeaders } from '../storages/supplier-record.js'
import { SupplyStore } from '../supplies/supply-store.js'
import { LatestUpdateStore } from './latest-update-store.js'

/** admin.md#overview, admin.md#names */
@Controller()
export class Overview {
  constructor(
    private readonly storages: StorageStore,
    private readonly points: PickUpPointStore,
    private readonly supplies: SupplyStore,
    private readonly secrets: SecretBox,
    private readonly latestUpdate: LatestUpdateStore,
  ) {}

  @Handles(contract.getStockOverview)
  async getStockOverview({
    settings,
  }: Pick<CallOf<typeof contract.getStockOverview>, 'settings'>): Promise<ReplyOf<typeof contract.getStockOverview>> {
    const [storages, inSearch, points, supplies, latest] = await Promise.all([
      this.storages.listAll(),
      this.findSearched(settings),
      this.points.count(),
      this.supplies.estimateCount(),
      this.latestUpdate.read(),
    ])
    return {
      supplies,
      storages: storages.length,
      pick_up_points: points,
      last_update_at: latest?.toISOString() ?? null,
      storage_references: storages.map((each) => storageReference(each, inSearch)),
      unreadable: storages.filter((each) => this.isUnreadable(each)).map(({ id, name }) => ({ id, name })),
    }
  }

  @Handles(contract.getStockReferences)
  async getStockReferences({
    settings,
  }: Pick<CallOf<typeof contract.getStockReferences>, 'settings'>): Promise<
    ReplyOf<typeof contract.getStockReferences>
  > {
    const [storages, inSearch, points] = await Promise.all([
      this.storages.listAll(),
      this.findSearched(settings),
      this.points.listNames(),
    ])
    return { storages: storages.map((each) => storageReference(each, inSearch)), pick_up_points: points }
  }

  /** Ids of the storages that a search asks: without pick-up points, or at one of them (partners.md#brands-1). */
  private async findSearched({ storages_for_crosses }: CallSettings): Promise<ReadonlySet<number>> {
    const atPoints = (await this.points.listActive()).flatMap(({ storage_ids }) => storage_ids)
    return new Set([...storages_for_crosses, ...atPoints])
  }

  private isUnreadable({ id, supplier }: StoredStorage): boolean {
    return listUnreadableHeaders(id, supplier, this.secrets).length > 0
  }
}

function storageReference({ id, name, is_active, supplier }: StoredStorage, inSearch: ReadonlySet<number>) {
  return { id, name, is_active, kind: supplier.kind, in_search: inSearch.has(id) }
}

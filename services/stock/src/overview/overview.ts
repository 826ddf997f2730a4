import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import * as contract from '@partsbus/contracts/stock/overview'
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
  async getStockOverview(): Promise<ReplyOf<typeof contract.getStockOverview>> {
    const [storages, points, supplies, latest] = await Promise.all([
      this.storages.listAll(),
      this.points.count(),
      this.supplies.estimateCount(),
      this.latestUpdate.read(),
    ])
    return {
      supplies,
      storages: storages.length,
      pick_up_points: points,
      last_update_at: latest?.toISOString() ?? null,
      storage_references: storages.map(storageReference),
      unreadable: storages.filter((each) => this.isUnreadable(each)).map(({ id, name }) => ({ id, name })),
    }
  }

  @Handles(contract.getStockReferences)
  async getStockReferences(): Promise<ReplyOf<typeof contract.getStockReferences>> {
    const [storages, points] = await Promise.all([this.storages.listAll(), this.points.listNames()])
    return { storages: storages.map(storageReference), pick_up_points: points }
  }

  private isUnreadable({ id, supplier }: StoredStorage): boolean {
    return listUnreadableHeaders(id, supplier, this.secrets).length > 0
  }
}

function storageReference({ id, name, is_active, supplier }: StoredStorage) {
  return { id, name, is_active, kind: supplier.kind }
}

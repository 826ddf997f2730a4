import { Module } from '@nestjs/common'
import { PickUpPointStore } from './pick-up-points/pick-up-point-store.js'
import { ReferenceDataLock } from './reference-data-lock.js'
import { StorageStore } from './storages/storage-store.js'
import { SupplyEvents } from './supplies/supply-events.js'
import { SupplyIds } from './supplies/supply-ids.js'
import { SupplyUsage } from './supplies/supply-usage.js'
import { SupplyStore } from './supplies/supply-store.js'

const stores = [PickUpPointStore, StorageStore, SupplyStore, SupplyEvents, SupplyUsage, ReferenceDataLock]

/**
 * The collections refer to each other (a storage in use cannot be deleted), so no noun's module owns its store alone.
 */
@Module({ providers: [...stores, SupplyIds], exports: stores })
export class StoresModule {}

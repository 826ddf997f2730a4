import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { StockConfig } from './config.js'
import { Jobs } from './jobs.js'
import { LatestUpdateStore } from './overview/latest-update-store.js'
import { Overview } from './overview/overview.js'
import { PickUpPointStore } from './pick-up-points/pick-up-point-store.js'
import { PickUpPoints } from './pick-up-points/pick-up-points.js'
import { ReferenceDataLock } from './reference-data-lock.js'
import { ResealSecrets } from './storages/reseal-secrets.js'
import { StorageStore } from './storages/storage-store.js'
import { Storages } from './storages/storages.js'
import { Supplies } from './supplies/supplies.js'
import { SupplyBatches } from './supplies/supply-batches.js'
import { SupplyEvents } from './supplies/supply-events.js'
import { SupplyIds } from './supplies/supply-ids.js'
import { SupplyStore } from './supplies/supply-store.js'
import { SupplyUsage } from './supplies/supply-usage.js'
import { UpdatePrices } from './supplies/update-prices.js'
import { UpdateStocks } from './supplies/update-stocks.js'

const secretBox = {
  provide: SecretBox,
  useFactory: (config: StockConfig) => new SecretBox(config.SECRETS_KEY),
  inject: [CONFIG],
}

const stores = [LatestUpdateStore, PickUpPointStore, StorageStore, SupplyStore]

@Module({
  controllers: [Overview, PickUpPoints, Storages, Supplies, UpdatePrices, UpdateStocks],
  providers: [
    ...stores,
    secretBox,
    ReferenceDataLock,
    ResealSecrets,
    SupplyBatches,
    SupplyEvents,
    SupplyIds,
    SupplyUsage,
    Jobs,
  ],
})
export class StockModule {}

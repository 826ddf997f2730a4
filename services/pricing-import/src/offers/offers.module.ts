import { Module } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { StoresModule } from '../stores.module.js'
import { VersionStore } from '../versions/version-store.js'
import { ListOffers } from './list-offers.js'
import { LiveOffers } from './live-offers.js'
import { OfferStore } from './offer-store.js'
import { OffersController } from './offers.controller.js'
import { Offers } from './offers.js'

const liveOffers = {
  provide: LiveOffers,
  useFactory: (versions: VersionStore, offers: OfferStore, bus: BusConnection) =>
    new LiveOffers(versions, offers, new InvalidatedCache(bus, changes.liveVersions)),
  inject: [VersionStore, OfferStore, BUS],
}

@Module({ imports: [StoresModule], controllers: [OffersController], providers: [Offers, ListOffers, liveOffers] })
export class OffersModule {}

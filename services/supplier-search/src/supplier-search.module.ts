import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import { BrandSynonymStore } from './brand-synonyms/brand-synonym-store.js'
import { BrandSynonyms } from './brand-synonyms/brand-synonyms.js'
import { SynonymCache } from './brand-synonyms/synonym-cache.js'
import type { SupplierSearchConfig } from './config.js'
import { SpellingStore } from './http/spelling-store.js'
import { SupplierClient } from './http/supplier-client.js'
import { SupplierTransport } from './http/transport.js'
import { Overview } from './overview/overview.js'
import { SupplierStateStore } from './overview/supplier-state-store.js'
import { SupplierStatisticsStore } from './overview/supplier-statistics-store.js'
import { FindBrands } from './search/find-brands.js'
import { FindParts } from './search/find-parts.js'
import { StorageLookup } from './search/storage-lookup.js'
import { TestStorage } from './search/test-storage.js'
import { UnaskedStorages } from './search/unasked-storages.js'
import { CoalescedReads } from './suppliers/coalesced-reads.js'
import { HttpSupplierAdapter } from './suppliers/http-supplier.js'
import { OwnServiceAnswers } from './suppliers/own-service.js'
import { OwnStockAdapter } from './suppliers/own-stock.js'
import { PriceListAdapter } from './suppliers/price-list.js'
import { QuerySuppliers } from './suppliers/query-suppliers.js'
import { SupplierMetrics } from './suppliers/supplier-metrics.js'

const client = {
  provide: SupplierClient,
  useFactory: ({ SUPPLIER_GUARD, SUPPLIER_ALLOWED_HOSTS }: SupplierSearchConfig) => {
    const reach = SUPPLIER_GUARD === 'on' ? 'public' : 'private'
    return new SupplierClient(new SupplierTransport({ reach, allowedHosts: SUPPLIER_ALLOWED_HOSTS }))
  },
  inject: [CONFIG],
}

const stores = [BrandSynonymStore, SpellingStore, SupplierStateStore, SupplierStatisticsStore]

@Module({
  controllers: [BrandSynonyms, FindBrands, FindParts, Overview, TestStorage],
  providers: [
    ...stores,
    client,
    CoalescedReads,
    HttpSupplierAdapter,
    OwnServiceAnswers,
    OwnStockAdapter,
    PriceListAdapter,
    QuerySuppliers,
    StorageLookup,
    SupplierMetrics,
    SynonymCache,
    UnaskedStorages,
  ],
})
export class SupplierSearchModule {}

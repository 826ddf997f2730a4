import { Module } from '@nestjs/common'
import { CONFIG } from '@partsbus/platform/process/injection-tokens'
import type { SupplierSearchConfig } from '../config.js'
import { SpellingStore } from '../http/spelling-store.js'
import { SupplierClient } from '../http/supplier-client.js'
import { SupplierTransport } from '../http/transport.js'
import { StatisticsModule } from '../overview/statistics.module.js'
import { QuerySuppliers } from './query-suppliers.js'
import { CoalescedReads } from './coalesced-reads.js'
import { HttpSupplierAdapter } from './http-supplier.js'
import { OwnServiceAnswers } from './own-service.js'
import { OwnStockAdapter } from './own-stock.js'
import { PriceListAdapter } from './price-list.js'
import { SupplierMetrics } from './supplier-metrics.js'

const client = {
  provide: SupplierClient,
  useFactory: ({ SUPPLIER_GUARD, SUPPLIER_ALLOWED_HOSTS }: SupplierSearchConfig) => {
    const reach = SUPPLIER_GUARD === 'on' ? 'public' : 'private'
    return new SupplierClient(new SupplierTransport({ reach, allowedHosts: SUPPLIER_ALLOWED_HOSTS }))
  },
  inject: [CONFIG],
}

@Module({
  imports: [StatisticsModule],
  providers: [
    QuerySuppliers,
    OwnStockAdapter,
    PriceListAdapter,
    HttpSupplierAdapter,
    OwnServiceAnswers,
    CoalescedReads,
    SupplierMetrics,
    SpellingStore,
    client,
  ],
  exports: [QuerySuppliers, SupplierClient, CoalescedReads],
})
export class SuppliersModule {}

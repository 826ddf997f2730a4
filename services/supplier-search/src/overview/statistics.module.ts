import { Module } from '@nestjs/common'
import { SupplierStateStore } from './supplier-state-store.js'
import { SupplierStatisticsStore } from './supplier-statistics-store.js'

@Module({
  providers: [SupplierStatisticsStore, SupplierStateStore],
  exports: [SupplierStatisticsStore, SupplierStateStore],
})
export class StatisticsModule {}

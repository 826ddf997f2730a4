import { Module } from '@nestjs/common'
import { BrandSynonymsModule } from '../brand-synonyms/brand-synonyms.module.js'
import { SuppliersModule } from '../suppliers/suppliers.module.js'
import { FindBrands } from './find-brands.js'
import { FindParts } from './find-parts.js'
import { SearchController } from './search.controller.js'
import { StorageLookup } from './storage-lookup.js'
import { TestStorage } from './test-storage.js'

@Module({
  imports: [BrandSynonymsModule, SuppliersModule],
  controllers: [SearchController],
  providers: [FindBrands, FindParts, TestStorage, StorageLookup],
})
export class SearchModule {}

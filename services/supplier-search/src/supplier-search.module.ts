import { Module } from '@nestjs/common'
import { BrandSynonymsModule } from './brand-synonyms/brand-synonyms.module.js'
import { SearchModule } from './search/search.module.js'

@Module({ imports: [BrandSynonymsModule, SearchModule] })
export class SupplierSearchModule {}

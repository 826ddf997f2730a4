import { Module } from '@nestjs/common'
import { BrandSynonymsModule } from './brand-synonyms/brand-synonyms.module.js'
import { OverviewModule } from './overview/overview.module.js'
import { SearchModule } from './search/search.module.js'

@Module({ imports: [BrandSynonymsModule, SearchModule, OverviewModule] })
export class SupplierSearchModule {}

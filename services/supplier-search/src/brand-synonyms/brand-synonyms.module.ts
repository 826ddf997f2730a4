import { Module } from '@nestjs/common'
import { SuppliersModule } from '../suppliers/suppliers.module.js'
import { BrandSynonymStore } from './brand-synonym-store.js'
import { BrandSynonymsController } from './brand-synonyms.controller.js'
import { BrandSynonyms } from './brand-synonyms.js'
import { SynonymCache } from './synonym-cache.js'

@Module({
  imports: [SuppliersModule],
  controllers: [BrandSynonymsController],
  providers: [BrandSynonyms, BrandSynonymStore, SynonymCache],
  exports: [SynonymCache],
})
export class BrandSynonymsModule {}

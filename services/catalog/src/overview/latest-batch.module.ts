import { Module } from '@nestjs/common'
import { LatestBatchStore } from './latest-batch-store.js'

/** Its own module: the nouns note their batches, and the overview reads the nouns. */
@Module({ providers: [LatestBatchStore], exports: [LatestBatchStore] })
export class LatestBatchModule {}

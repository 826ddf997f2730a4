import { Module } from '@nestjs/common'
import { LatestUpdateStore } from './latest-update-store.js'

/** Its own module: the supplies note their updates, and the overview reads the supplies. */
@Module({ providers: [LatestUpdateStore], exports: [LatestUpdateStore] })
export class LatestUpdateModule {}

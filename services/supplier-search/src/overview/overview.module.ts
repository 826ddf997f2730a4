import { Module } from '@nestjs/common'
import { OverviewController } from './overview.controller.js'
import { Overview } from './overview.js'
import { StatisticsModule } from './statistics.module.js'

@Module({ imports: [StatisticsModule], controllers: [OverviewController], providers: [Overview] })
export class OverviewModule {}

import { Module } from '@nestjs/common'
import { StoresModule } from '../stores.module.js'
import { PickUpPointsController } from './pick-up-points.controller.js'
import { PickUpPoints } from './pick-up-points.js'

@Module({ imports: [StoresModule], controllers: [PickUpPointsController], providers: [PickUpPoints] })
export class PickUpPointsModule {}

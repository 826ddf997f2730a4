import * as contract from '@partsbus/contracts/stock/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { PickUpPoints } from './pick-up-points.js'

@Controller()
export class PickUpPointsController {
  constructor(private readonly points: PickUpPoints) {}

  @Handles(contract.listPickUpPoints)
  listPickUpPoints(call: CallOf<typeof contract.listPickUpPoints>) {
    return this.points.listPickUpPoints(call)
  }

  @Handles(contract.getPickUpPoint)
  getPickUpPoint(call: CallOf<typeof contract.getPickUpPoint>) {
    return this.points.getPickUpPoint(call)
  }

  @Handles(contract.createPickUpPoint)
  createPickUpPoint(call: CallOf<typeof contract.createPickUpPoint>) {
    return this.points.createPickUpPoint(call)
  }

  @Handles(contract.patchPickUpPoint)
  patchPickUpPoint(call: CallOf<typeof contract.patchPickUpPoint>) {
    return this.points.patchPickUpPoint(call)
  }

  @Handles(contract.deletePickUpPoint)
  deletePickUpPoint(call: CallOf<typeof contract.deletePickUpPoint>) {
    return this.points.deletePickUpPoint(call)
  }

  @Handles(contract.listOfferedPickUpPoints)
  listOfferedPickUpPoints(
    _call: CallOf<typeof contract.listOfferedPickUpPoints>,
  ) {
    return this.points.listOfferedPickUpPoints()
  }
}

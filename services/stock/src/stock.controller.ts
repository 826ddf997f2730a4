import * as contract from '@partsbus/contracts/stock'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/call'
import { Answers, CONTEXT, Request } from '@partsbus/platform/nest-door'
import type { StockContext } from './context.js'
import { updateStocks } from './supplies/update-stocks.js'
import { listSupplies } from './supplies/list-supplies.js'
import { findSupplies } from './supplies/find-supplies.js'
import { patchSupply } from './supplies/patch-supply.js'
import { listPickUpPoints } from './pick-up-points/list-pick-up-points.js'
import { getPickUpPoint } from './pick-up-points/get-pick-up-point.js'
import { createPickUpPoint } from './pick-up-points/create-pick-up-point.js'
import { patchPickUpPoint } from './pick-up-points/patch-pick-up-point.js'
import { offeredPickUpPoints } from './pick-up-points/offered-pick-up-points.js'
import { deletePickUpPoint } from './pick-up-points/delete-pick-up-point.js'
import { listStorages } from './storages/list-storages.js'
import { getStorage } from './storages/get-storage.js'
import { createStorage } from './storages/create-storage.js'
import { patchStorage } from './storages/patch-storage.js'
import { resolveStorages } from './storages/resolve-storages.js'
import { deleteStorage } from './storages/delete-storage.js'

@Controller()
export class StockController {
  constructor(@Inject(CONTEXT) private readonly ctx: StockContext) {}

  @Answers(contract.updateStocks)
  updateStocks(@Request(contract.updateStocks) call: CallOf<typeof contract.updateStocks>) {
    return updateStocks(this.ctx, call)
  }

  @Answers(contract.listSupplies)
  listSupplies(@Request(contract.listSupplies) call: CallOf<typeof contract.listSupplies>) {
    return listSupplies(this.ctx, call)
  }

  @Answers(contract.patchSupply)
  patchSupply(@Request(contract.patchSupply) call: CallOf<typeof contract.patchSupply>) {
    return patchSupply(this.ctx, call)
  }

  @Answers(contract.listPickUpPoints)
  listPickUpPoints(@Request(contract.listPickUpPoints) call: CallOf<typeof contract.listPickUpPoints>) {
    return listPickUpPoints(this.ctx, call)
  }

  @Answers(contract.getPickUpPoint)
  getPickUpPoint(@Request(contract.getPickUpPoint) call: CallOf<typeof contract.getPickUpPoint>) {
    return getPickUpPoint(this.ctx, call)
  }

  @Answers(contract.createPickUpPoint)
  createPickUpPoint(@Request(contract.createPickUpPoint) call: CallOf<typeof contract.createPickUpPoint>) {
    return createPickUpPoint(this.ctx, call)
  }

  @Answers(contract.patchPickUpPoint)
  patchPickUpPoint(@Request(contract.patchPickUpPoint) call: CallOf<typeof contract.patchPickUpPoint>) {
    return patchPickUpPoint(this.ctx, call)
  }

  @Answers(contract.deletePickUpPoint)
  deletePickUpPoint(@Request(contract.deletePickUpPoint) call: CallOf<typeof contract.deletePickUpPoint>) {
    return deletePickUpPoint(this.ctx, call)
  }

  @Answers(contract.listStorages)
  listStorages(@Request(contract.listStorages) call: CallOf<typeof contract.listStorages>) {
    return listStorages(this.ctx, call)
  }

  @Answers(contract.getStorage)
  getStorage(@Request(contract.getStorage) call: CallOf<typeof contract.getStorage>) {
    return getStorage(this.ctx, call)
  }

  @Answers(contract.createStorage)
  createStorage(@Request(contract.createStorage) call: CallOf<typeof contract.createStorage>) {
    return createStorage(this.ctx, call)
  }

  @Answers(contract.patchStorage)
  patchStorage(@Request(contract.patchStorage) call: CallOf<typeof contract.patchStorage>) {
    return patchStorage(this.ctx, call)
  }

  @Answers(contract.deleteStorage)
  deleteStorage(@Request(contract.deleteStorage) call: CallOf<typeof contract.deleteStorage>) {
    return deleteStorage(this.ctx, call)
  }

  @Answers(contract.findSupplies)
  findSupplies(@Request(contract.findSupplies) call: CallOf<typeof contract.findSupplies>) {
    return findSupplies(this.ctx, call)
  }

  @Answers(contract.resolveStorages)
  resolveStorages(@Request(contract.resolveStorages) call: CallOf<typeof contract.resolveStorages>) {
    return resolveStorages(this.ctx, call)
  }

  @Answers(contract.offeredPickUpPoints)
  offeredPickUpPoints(@Request(contract.offeredPickUpPoints) call: CallOf<typeof contract.offeredPickUpPoints>) {
    return offeredPickUpPoints(this.ctx, call)
  }
}

import * as contract from '@partsbus/contracts/stock'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
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

  @Handles(contract.updateStocks)
  updateStocks(@Call(contract.updateStocks) call: CallOf<typeof contract.updateStocks>) {
    return updateStocks(this.ctx, call)
  }

  @Handles(contract.listSupplies)
  listSupplies(@Call(contract.listSupplies) call: CallOf<typeof contract.listSupplies>) {
    return listSupplies(this.ctx, call)
  }

  @Handles(contract.patchSupply)
  patchSupply(@Call(contract.patchSupply) call: CallOf<typeof contract.patchSupply>) {
    return patchSupply(this.ctx, call)
  }

  @Handles(contract.listPickUpPoints)
  listPickUpPoints(@Call(contract.listPickUpPoints) call: CallOf<typeof contract.listPickUpPoints>) {
    return listPickUpPoints(this.ctx, call)
  }

  @Handles(contract.getPickUpPoint)
  getPickUpPoint(@Call(contract.getPickUpPoint) call: CallOf<typeof contract.getPickUpPoint>) {
    return getPickUpPoint(this.ctx, call)
  }

  @Handles(contract.createPickUpPoint)
  createPickUpPoint(@Call(contract.createPickUpPoint) call: CallOf<typeof contract.createPickUpPoint>) {
    return createPickUpPoint(this.ctx, call)
  }

  @Handles(contract.patchPickUpPoint)
  patchPickUpPoint(@Call(contract.patchPickUpPoint) call: CallOf<typeof contract.patchPickUpPoint>) {
    return patchPickUpPoint(this.ctx, call)
  }

  @Handles(contract.deletePickUpPoint)
  deletePickUpPoint(@Call(contract.deletePickUpPoint) call: CallOf<typeof contract.deletePickUpPoint>) {
    return deletePickUpPoint(this.ctx, call)
  }

  @Handles(contract.listStorages)
  listStorages(@Call(contract.listStorages) call: CallOf<typeof contract.listStorages>) {
    return listStorages(this.ctx, call)
  }

  @Handles(contract.getStorage)
  getStorage(@Call(contract.getStorage) call: CallOf<typeof contract.getStorage>) {
    return getStorage(this.ctx, call)
  }

  @Handles(contract.createStorage)
  createStorage(@Call(contract.createStorage) call: CallOf<typeof contract.createStorage>) {
    return createStorage(this.ctx, call)
  }

  @Handles(contract.patchStorage)
  patchStorage(@Call(contract.patchStorage) call: CallOf<typeof contract.patchStorage>) {
    return patchStorage(this.ctx, call)
  }

  @Handles(contract.deleteStorage)
  deleteStorage(@Call(contract.deleteStorage) call: CallOf<typeof contract.deleteStorage>) {
    return deleteStorage(this.ctx, call)
  }

  @Handles(contract.findSupplies)
  findSupplies(@Call(contract.findSupplies) call: CallOf<typeof contract.findSupplies>) {
    return findSupplies(this.ctx, call)
  }

  @Handles(contract.resolveStorages)
  resolveStorages(@Call(contract.resolveStorages) call: CallOf<typeof contract.resolveStorages>) {
    return resolveStorages(this.ctx, call)
  }

  @Handles(contract.offeredPickUpPoints)
  offeredPickUpPoints(@Call(contract.offeredPickUpPoints) call: CallOf<typeof contract.offeredPickUpPoints>) {
    return offeredPickUpPoints(this.ctx, call)
  }
}

import * as contract from '@partsbus/contracts/stock/commands'
import { revealSupplier } from '@partsbus/contracts/stock/overview'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Storages } from './storages.js'

@Controller()
export class StoragesController {
  constructor(private readonly storages: Storages) {}

  @Handles(contract.listStorages)
  listStorages(call: CallOf<typeof contract.listStorages>) {
    return this.storages.listStorages(call)
  }

  @Handles(contract.getStorage)
  getStorage(call: CallOf<typeof contract.getStorage>) {
    return this.storages.getStorage(call)
  }

  @Handles(contract.createStorage)
  createStorage(call: CallOf<typeof contract.createStorage>) {
    return this.storages.createStorage(call)
  }

  @Handles(contract.patchStorage)
  patchStorage(call: CallOf<typeof contract.patchStorage>) {
    return this.storages.patchStorage(call)
  }

  @Handles(contract.deleteStorage)
  deleteStorage(call: CallOf<typeof contract.deleteStorage>) {
    return this.storages.deleteStorage(call)
  }

  @Handles(revealSupplier)
  revealSupplier(call: CallOf<typeof revealSupplier>) {
    return this.storages.revealSupplier(call)
  }

  @Handles(contract.resolveStorages)
  resolveStorages(call: CallOf<typeof contract.resolveStorages>) {
    return this.storages.resolveStorages(call)
  }
}

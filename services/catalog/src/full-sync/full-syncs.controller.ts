import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/full-sync'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { FullSyncs } from './full-syncs.js'

@Controller()
export class FullSyncsController {
  constructor(private readonly syncs: FullSyncs) {}

  @Handles(contract.startFullSync)
  startFullSync() {
    return this.syncs.startFullSync()
  }

  @Handles(contract.getFullSync)
  getFullSync(call: CallOf<typeof contract.getFullSync>) {
    return this.syncs.getFullSync(call)
  }

  @Handles(contract.listNotSent)
  listNotSent(call: CallOf<typeof contract.listNotSent>) {
    return this.syncs.listNotSent(call)
  }

  @Handles(contract.completeFullSync)
  completeFullSync(call: CallOf<typeof contract.completeFullSync>) {
    return this.syncs.completeFullSync(call)
  }

  @Handles(contract.cancelFullSync)
  cancelFullSync(call: CallOf<typeof contract.cancelFullSync>) {
    return this.syncs.cancelFullSync(call)
  }
}

import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Versions } from './versions.js'

@Controller()
export class VersionsController {
  constructor(private readonly versions: Versions) {}

  @Handles(contract.listVersions)
  listVersions(call: CallOf<typeof contract.listVersions>) {
    return this.versions.listVersions(call)
  }

  @Handles(contract.rollbackVersion)
  rollbackVersion(call: CallOf<typeof contract.rollbackVersion>) {
    return this.versions.rollbackVersion(call)
  }
}

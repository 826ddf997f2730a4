import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { OpenExports } from './open-exports.js'

@Controller()
export class Exports {
  constructor(private readonly exports: OpenExports) {}

  @Handles(contract.readExport)
  readExport({ body }: CallOf<typeof contract.readExport>): Promise<ReplyOf<typeof contract.readExport>> {
    return this.exports.read(body.export_id)
  }

  @Handles(contract.closeExport)
  async closeExport({ body }: CallOf<typeof contract.closeExport>): Promise<ReplyOf<typeof contract.closeExport>> {
    await this.exports.close(body.export_id)
    return {}
  }
}

import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import { compareVersions as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ChangePages } from './change-pages.js'

@Controller()
export class CompareVersions {
  constructor(private readonly pages: ChangePages) {}

  /**
   * A page of 500 changes fits one message of the bus, even if each has two names of the greatest length.
   * @throws AppError NOT_FOUND, CONFLICT, OVERLOADED
   */
  @Handles(contract)
  async compareVersions(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { kind, page, per_page } = call.body
    const found = await this.pages.find(call.body, call.timeLeft())
    const { older, newer, changes } = found
    const position = changes.positionAfter((page - 1) * per_page, kind)
    const { data } = await this.pages.read(found, position, per_page, kind)
    const versions = { from: older.version, to: newer.version }
    return { data, total: changes.total(kind), page, per_page, ...versions, counts: changes.counts }
  }
}

import { Injectable } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type * as contract from '@partsbus/contracts/stock/commands'
import type { Supply } from '@partsbus/contracts/stock/stock-item'
import type { CallOf } from '@partsbus/platform/bus/call'
import { SupplyStore } from './supply-store.js'

/** admin.md#supplies */
@Injectable()
export class Supplies {
  constructor(private readonly supplies: SupplyStore) {}

  listSupplies(call: CallOf<typeof contract.listSupplies>): Promise<Page<Supply>> {
    const { page, per_page, ...filter } = call.body
    return this.supplies.list(filter, { page, per_page })
  }

  /**
   * Prices, `reserved` and `shipped`: the fields that the ERP never writes.
   * @throws AppError NOT_FOUND
   */
  async patchSupply(call: CallOf<typeof contract.patchSupply>): Promise<Supply> {
    const patched = await this.supplies.patch(call.body.id, call.body.patch)
    if (!patched) throw new AppError('NOT_FOUND', texts.notFound)
    return patched
  }

  /** Supplies of any quantity, for the search. */
  async findSupplies(call: CallOf<typeof contract.findSupplies>): Promise<ReplyOf<typeof contract.findSupplies>> {
    return { supplies: await this.supplies.findOffered(call.body.product_ids, call.body.storage_ids) }
  }
}

import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import * as contract from '@partsbus/contracts/stock/commands'
import { changedMeanwhile, type Revised } from '@partsbus/contracts/revision'
import type { Supply } from '@partsbus/contracts/stock/stock-item'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { SupplyStore } from './supply-store.js'

/** admin.md#supplies */
@Controller()
export class Supplies {
  constructor(private readonly supplies: SupplyStore) {}

  @Handles(contract.listSupplies)
  listSupplies(call: CallOf<typeof contract.listSupplies>): Promise<Page<Supply>> {
    const { page, per_page, ...filter } = call.body
    return this.supplies.list(filter, { page, per_page })
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getSupply)
  async getSupply(call: CallOf<typeof contract.getSupply>): Promise<Revised<Supply>> {
    const found = await this.supplies.get(call.body.id)
    if (!found) throw new AppError('NOT_FOUND', texts.notFound)
    return found
  }

  /**
   * Prices, `reserved` and `shipped`: the fields that the ERP never writes.
   * @throws AppError NOT_FOUND, or CHANGED
   */
  @Handles(contract.patchSupply)
  async patchSupply(call: CallOf<typeof contract.patchSupply>): Promise<Revised<Supply>> {
    const { id, patch, if_revisions } = call.body
    const patched = await this.supplies.patch(id, patch, if_revisions)
    if (patched) return patched
    const current = await this.supplies.get(id)
    throw current ? changedMeanwhile(current) : new AppError('NOT_FOUND', texts.notFound)
  }

  /** Supplies of any quantity, for the search. */
  @Handles(contract.findSupplies)
  async findSupplies(call: CallOf<typeof contract.findSupplies>): Promise<ReplyOf<typeof contract.findSupplies>> {
    return { supplies: await this.supplies.findOffered(call.body.product_ids, call.body.storage_ids) }
  }

  @Handles(contract.getHighestProductId)
  async getHighestProductId(): Promise<ReplyOf<typeof contract.getHighestProductId>> {
    return { product_id: await this.supplies.highestProductId() }
  }

  @Handles(contract.getSupplyStates)
  async getSupplyStates(
    call: CallOf<typeof contract.getSupplyStates>,
  ): Promise<ReplyOf<typeof contract.getSupplyStates>> {
    const { product_ids, ...location } = call.body
    return { supplies: await this.supplies.findAt(location, product_ids) }
  }
}

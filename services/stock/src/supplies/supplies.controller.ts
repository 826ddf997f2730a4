import * as contract from '@partsbus/contracts/stock/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LatestUpdateStore } from '../overview/latest-update-store.js'
import { Supplies } from './supplies.js'
import { UpdatePrices } from './update-prices.js'
import { UpdateStocks } from './update-stocks.js'

@Controller()
export class SuppliesController {
  constructor(
    private readonly supplies: Supplies,
    private readonly stocks: UpdateStocks,
    private readonly prices: UpdatePrices,
    private readonly latestUpdate: LatestUpdateStore,
  ) {}

  @Handles(contract.updateStocks)
  updateStocks(call: CallOf<typeof contract.updateStocks>) {
    this.latestUpdate.note()
    return this.stocks.updateStocks(call)
  }

  @Handles(contract.updatePrices)
  updatePrices(call: CallOf<typeof contract.updatePrices>) {
    this.latestUpdate.note()
    return this.prices.updatePrices(call)
  }

  @Handles(contract.listSupplies)
  listSupplies(call: CallOf<typeof contract.listSupplies>) {
    return this.supplies.listSupplies(call)
  }

  @Handles(contract.getSupply)
  getSupply(call: CallOf<typeof contract.getSupply>) {
    return this.supplies.getSupply(call)
  }

  @Handles(contract.patchSupply)
  patchSupply(call: CallOf<typeof contract.patchSupply>) {
    return this.supplies.patchSupply(call)
  }

  @Handles(contract.findSupplies)
  findSupplies(call: CallOf<typeof contract.findSupplies>) {
    return this.supplies.findSupplies(call)
  }

  @Handles(contract.getHighestProductId)
  getHighestProductId() {
    return this.supplies.getHighestProductId()
  }

  @Handles(contract.getSupplyStates)
  getSupplyStates(call: CallOf<typeof contract.getSupplyStates>) {
    return this.supplies.getSupplyStates(call)
  }
}

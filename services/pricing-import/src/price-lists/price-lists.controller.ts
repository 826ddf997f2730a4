import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { DeletePriceList } from './delete-price-list.js'
import { ListPriceLists } from './list-price-lists.js'
import { PriceLists } from './price-lists.js'

@Controller()
export class PriceListsController {
  constructor(
    private readonly priceLists: PriceLists,
    private readonly lists: ListPriceLists,
    private readonly deletion: DeletePriceList,
  ) {}

  @Handles(contract.listPriceLists)
  listPriceLists(call: CallOf<typeof contract.listPriceLists>) {
    return this.lists.listPriceLists(call)
  }

  @Handles(contract.getPriceList)
  getPriceList(call: CallOf<typeof contract.getPriceList>) {
    return this.priceLists.getPriceList(call)
  }

  @Handles(contract.createPriceList)
  createPriceList(call: CallOf<typeof contract.createPriceList>) {
    return this.priceLists.createPriceList(call)
  }

  @Handles(contract.patchPriceList)
  patchPriceList(call: CallOf<typeof contract.patchPriceList>) {
    return this.priceLists.patchPriceList(call)
  }

  @Handles(contract.priceListsOfStorage)
  priceListsOfStorage(call: CallOf<typeof contract.priceListsOfStorage>) {
    return this.priceLists.priceListsOfStorage(call)
  }

  @Handles(contract.deletePriceList)
  deletePriceList(call: CallOf<typeof contract.deletePriceList>) {
    return this.deletion.deletePriceList(call)
  }
}

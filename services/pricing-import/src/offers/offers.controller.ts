import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ListOffers } from './list-offers.js'
import { Offers } from './offers.js'

@Controller()
export class OffersController {
  constructor(
    private readonly offers: Offers,
    private readonly list: ListOffers,
  ) {}

  @Handles(contract.listOffers)
  listOffers(call: CallOf<typeof contract.listOffers>) {
    return this.list.listOffers(call)
  }

  @Handles(contract.findOffers)
  findOffers(call: CallOf<typeof contract.findOffers>) {
    return this.offers.findOffers(call)
  }
}

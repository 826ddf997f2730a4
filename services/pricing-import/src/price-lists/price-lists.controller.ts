import type { Page } from '@partsbus/contracts/paging'
import type { PriceList, PriceListVersion } from '@partsbus/contracts/price-list'
import {
  createPriceList,
  deletePriceList,
  findOffers,
  getPriceList,
  listPriceLists,
  listVersions,
  patchPriceList,
  priceListsOfStorage,
  rollbackVersion,
  runSource,
} from '@partsbus/contracts/pricing'
import type { ReplyOf } from '@partsbus/contracts/message'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
import type { PricingImportContext } from '../context.js'
import { findOffers as find } from '../offers/find-offers.js'
import { runSource as run } from '../sources/run-source.js'
import { rollBack } from '../versions/roll-back.js'
import { createPriceList as create } from './create-price-list.js'
import { deletePriceList as remove } from './delete-price-list.js'
import { findList } from './find-list.js'
import { patchPriceList as patch } from './patch-price-list.js'
import { showPriceList, showVersions } from './price-list-view.js'

/** Price lists, their versions, sources and offers. */
@Controller()
export class PriceListsController {
  private readonly ctx: PricingImportContext

  constructor(@Inject(CONTEXT) ctx: PricingImportContext) {
    this.ctx = ctx
  }

  @Handles(listPriceLists)
  async list(@Call(listPriceLists) call: CallOf<typeof listPriceLists>): Promise<Page<PriceList>> {
    const found = await this.ctx.lists.list(call.body)
    return { ...found, data: found.data.map(showPriceList) }
  }

  @Handles(getPriceList)
  async get(@Call(getPriceList) call: CallOf<typeof getPriceList>): Promise<PriceList> {
    return showPriceList(await findList(this.ctx, call.body.id))
  }

  @Handles(createPriceList)
  create(@Call(createPriceList) call: CallOf<typeof createPriceList>): Promise<PriceList> {
    return create(this.ctx, call)
  }

  @Handles(patchPriceList)
  patch(@Call(patchPriceList) call: CallOf<typeof patchPriceList>): Promise<PriceList> {
    return patch(this.ctx, call)
  }

  @Handles(deletePriceList)
  remove(@Call(deletePriceList) call: CallOf<typeof deletePriceList>): Promise<Record<string, never>> {
    return remove(this.ctx, call)
  }

  @Handles(priceListsOfStorage)
  async ofStorage(
    @Call(priceListsOfStorage) call: CallOf<typeof priceListsOfStorage>,
  ): Promise<ReplyOf<typeof priceListsOfStorage>> {
    return { price_lists: await this.ctx.lists.ofStorage(call.body.storage_id) }
  }

  @Handles(listVersions)
  async versions(@Call(listVersions) call: CallOf<typeof listVersions>): Promise<{ versions: PriceListVersion[] }> {
    return { versions: showVersions(await findList(this.ctx, call.body.id)) }
  }

  @Handles(rollbackVersion)
  rollBack(@Call(rollbackVersion) call: CallOf<typeof rollbackVersion>): Promise<{ versions: PriceListVersion[] }> {
    return rollBack(this.ctx, call)
  }

  @Handles(runSource)
  runSource(@Call(runSource) call: CallOf<typeof runSource>): Promise<ReplyOf<typeof runSource>> {
    return run(this.ctx, call)
  }

  @Handles(findOffers)
  findOffers(@Call(findOffers) call: CallOf<typeof findOffers>): Promise<ReplyOf<typeof findOffers>> {
    return find(this.ctx, call)
  }
}

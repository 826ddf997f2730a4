import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import { assertRevision, type Revised } from '@partsbus/contracts/revision'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'
import { revisedView } from './price-list-view.js'
import { requireStorage } from './require-storage.js'
import { sealSources } from './seal-sources.js'

const PATCH_ATTEMPTS = 10

/** admin.md#price-lists */
@Controller()
export class PriceLists {
  constructor(
    private readonly lists: PriceListStore,
    private readonly secrets: SecretBox,
    private readonly calls: BusClient,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getPriceList)
  async getPriceList(call: CallOf<typeof contract.getPriceList>): Promise<Revised<PriceList>> {
    return revisedView(await this.get(call.body.id), call.settings.admin_locale)
  }

  /**
   * Any subset of the fields; `format` and `sources` are replaced as a whole. Files that came before are imported as
   * the list was then.
   * @throws AppError NOT_FOUND, CHANGED, or CONTRACT_VIOLATION for an unknown storage, or a source that cannot run
   */
  @Handles(contract.patchPriceList)
  async patchPriceList(call: CallOf<typeof contract.patchPriceList>): Promise<Revised<PriceList>> {
    const { id, patch, if_revisions } = call.body
    const { sources, ...fields } = patch
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    for (let attempt = 1; attempt <= PATCH_ATTEMPTS; attempt += 1) {
      const stored = await this.get(id)
      assertRevision(if_revisions, revisedView(stored, call.settings.admin_locale))
      const sealed = sources && sealSources(sources, stored.sources, this.secrets, id)
      if (fields.storage_id !== undefined && fields.storage_id !== stored.storage_id)
        await requireStorage(this.calls, fields.storage_id)
      // a run of a source that ends meanwhile has recorded its outcome, which must not be lost
      const planned = sealed && { sources: sealed, sources_rev: stored.sources_rev }
      if (await this.lists.patch(id, given, planned, if_revisions))
        return revisedView(await this.get(id), call.settings.admin_locale)
    }
    throw new AppError('CONFLICT', 'Conflict with a concurrent change of the price list; please retry.')
  }

  /** For the owner of storages, which must not delete one that is in use. */
  @Handles(contract.priceListsOfStorage)
  async priceListsOfStorage(
    call: CallOf<typeof contract.priceListsOfStorage>,
  ): Promise<ReplyOf<typeof contract.priceListsOfStorage>> {
    return { price_lists: await this.lists.ofStorage(call.body.storage_id) }
  }

  private async get(id: number): Promise<PriceListRecord> {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    return list
  }
}

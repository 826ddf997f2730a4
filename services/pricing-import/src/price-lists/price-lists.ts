import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import { assertRevision, type Revised } from '@partsbus/contracts/revision'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import { getStorage } from '@partsbus/contracts/stock/commands'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { isFound } from '@partsbus/platform/bus/is-found'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { PriceListRecord } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'
import type { Locale } from '../texts/skip-texts.js'
import { priceListView } from './price-list-view.js'
import { checkSources, sealSources } from './seal-sources.js'

const PATCH_ATTEMPTS = 10

/** admin.md#price-lists */
@Controller()
export class PriceLists {
  constructor(
    private readonly lists: PriceListStore,
    private readonly counters: CounterStore,
    private readonly secrets: SecretBox,
    private readonly calls: BusClient,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getPriceList)
  async getPriceList(call: CallOf<typeof contract.getPriceList>): Promise<Revised<PriceList>> {
    return revisedView(await this.get(call.body.id), call.settings.admin_locale)
  }

  /**
   * The default is an active list that is replaced by each file, without markup.
   * @throws AppError CONTRACT_VIOLATION for an unknown storage, or a source that cannot run
   */
  @Handles(contract.createPriceList)
  async createPriceList(call: CallOf<typeof contract.createPriceList>): Promise<Revised<PriceList>> {
    const {
      name,
      storage_id,
      is_active = true,
      mode = 'replace',
      markup_percent = 0,
      min_rows_ratio = null,
      delivery_days = null,
      format = {},
      sources = [],
    } = call.body
    checkSources(sources, [])
    await this.requireStorage(storage_id)
    const id = await this.counters.allocate('price_lists', 1)
    await this.lists.insert(id, {
      name,
      storage_id,
      is_active,
      mode,
      markup_percent,
      min_rows_ratio,
      delivery_days,
      format,
      sources: sealSources(sources, [], this.secrets, id),
    })
    return revisedView(await this.get(id), call.settings.admin_locale)
  }

  /**
   * Any subset of the fields; `format` and `sources` are replaced as a whole. Files that came before are imported as
   * the list was then.
   * @throws AppError NOT_FOUND, CHANGED, or CONTRACT_VIOLATION as in `createPriceList`
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
        await this.requireStorage(fields.storage_id)
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

  /** @throws AppError CONTRACT_VIOLATION on `storage_id` when its owner does not know it */
  private async requireStorage(id: number): Promise<void> {
    if (!(await isFound(this.calls.request(getStorage, { id }))))
      throw contractViolation({ storage_id: ['The selected storage_id is invalid.'] }, 'exists')
  }
}

function revisedView(list: PriceListRecord, locale: Locale): Revised<PriceList> {
  return { ...priceListView(list, locale), revision: list.revision }
}

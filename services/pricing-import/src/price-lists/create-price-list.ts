import { Controller, Inject } from '@nestjs/common'
import { SETTINGS_CHANGE_TIMEOUT_MS, setInSearch } from '@partsbus/contracts/administration/settings-commands'
import { AppError, httpStatus, texts } from '@partsbus/contracts/app-error'
import { createPriceList as contract } from '@partsbus/contracts/pricing-import/commands'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import type { Revised } from '@partsbus/contracts/revision'
import { createStorage } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { PriceListDeletions } from './price-list-deletions.js'
import type { Creation } from './price-list-record.js'
import { PriceListStore } from './price-list-store.js'
import { revisedView } from './price-list-view.js'
import { requireStorage } from './require-storage.js'
import { checkSources, sealSources } from './seal-sources.js'

type Call = CallOf<typeof contract>

/** For the deletion of a storage that was created. */
const DELETION_MS = 5_000

/** admin.md#price-lists, admin.md#price-list-storage */
@Controller()
export class CreatePriceList {
  constructor(
    private readonly lists: PriceListStore,
    private readonly deletions: PriceListDeletions,
    private readonly counters: CounterStore,
    private readonly secrets: SecretBox,
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * The default is an active list that is replaced by each file, without markup, in an existing storage.
   *
   * What other services make for it is made while the list is hidden, so that a process that dies leaves a document
   * that names all of it. {@link PriceListDeletions} takes back what was not completed.
   * @throws AppError CONTRACT_VIOLATION for an unknown storage, or a source that cannot run; or the error of a step
   */
  @Handles(contract)
  async createPriceList(call: Call): Promise<Revised<PriceList>> {
    const {
      name,
      storage_id,
      storage,
      is_active = true,
      mode = 'replace',
      markup_percent = 0,
      min_rows_ratio = null,
      delivery_days = null,
      format = {},
      sources = [],
    } = call.body
    checkSources(sources, [])
    if (!storage) await requireStorage(this.calls, storage_id)
    const creation = planCreation(call)
    const id = await this.counters.allocate('price_lists', 1)
    const fields = { name, storage_id, is_active, mode, markup_percent, min_rows_ratio, delivery_days, format }
    await this.lists.insert(id, { ...fields, sources: sealSources(sources, [], this.secrets, id) }, creation)
    if (creation) await this.completeOrAbandon(id, call, creation)
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    return revisedView(list, call.settings.admin_locale)
  }

  private async completeOrAbandon(id: number, call: Call, creation: Creation): Promise<void> {
    try {
      await this.complete(id, call.body, creation)
    } catch (error) {
      // a caller that gave up holds the lease of storages no more
      const isRefused = isRefusal(error) && call.timeLeft() > DELETION_MS
      await this.deletions.abandon(id, isRefused).catch((failure: unknown) => {
        this.log.warn({ err: failure, list: id }, 'creation of a price list not taken back, will retry')
      })
      throw error
    }
  }

  private async complete(list: number, { storage_id: id, storage }: Call['body'], { included_by }: Creation) {
    if (storage) await this.calls.request(createStorage, { id, ...storage, supplier: { kind: 'price-list' } })
    if (included_by)
      await this.calls.request(
        setInSearch,
        { id, in_search: true, caller: included_by },
        { timeoutMs: SETTINGS_CHANGE_TIMEOUT_MS },
      )
    if (!(await this.lists.complete(list)))
      throw new AppError('TIMEOUT', 'The creation of the price list took too long and was taken back.')
  }
}

/** Undefined for a list of which nothing but itself is made. */
function planCreation({ body: { storage, storage_id, in_search, caller }, settings }: Call): Creation | undefined {
  const isIncluded = settings.storages_for_crosses.includes(storage_id)
  const included_by = in_search && caller && !isIncluded ? caller : null
  return storage || included_by ? { has_storage: storage !== undefined, included_by } : undefined
}

/** The step that failed has changed nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && httpStatus[error.code] < 500
}

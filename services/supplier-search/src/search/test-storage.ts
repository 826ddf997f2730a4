import { Controller } from '@nestjs/common'
import { articleKey } from '@partsbus/contracts/article'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import { testStorage as contract } from '@partsbus/contracts/supplier-search/commands'
import { testSupplier } from '@partsbus/contracts/supplier-search/overview'
import { resolveStorages } from '@partsbus/contracts/stock/commands'
import { revealSupplier } from '@partsbus/contracts/stock/overview'
import { BusClient } from '@partsbus/platform/bus/client'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { HeldByQuery } from '../http/reply-memory.js'
import { SupplierClient } from '../http/supplier-client.js'
import { QuerySuppliers, UNDECRYPTABLE } from '../suppliers/query-suppliers.js'
import { toReason } from '../suppliers/outcome.js'
import { type Locale, translateReason } from '../texts/translate-reason.js'
import { Deadline } from './deadline.js'
import type { BrandRow } from './offer.js'
import type { QueriedStorage } from './storage-answer.js'

/** Enough to see whether the supplier works. */
const MAX_SHOWN = 500

@Controller()
export class TestStorage {
  constructor(
    private readonly calls: BusClient,
    private readonly client: SupplierClient,
    private readonly suppliers: QuerySuppliers,
  ) {}

  /**
   * Asks the supplier of a storage once, without cache and circuit breaker, also of an inactive storage
   * (admin.md#storage-test).
   * @returns whether it worked, how long it took, the brands in the supplier's spelling, and the reason of a failure
   * @throws AppError NOT_FOUND; UNAVAILABLE or TIMEOUT from the stock service
   */
  @Handles(contract)
  async testStorage(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, article } = call.body
    const deadline = new Deadline(call.timeLeft())
    const { storages } = await this.calls.request(
      resolveStorages,
      { storage_ids: [id], include_inactive: true },
      { timeoutMs: deadline.limit() },
    )
    const [storage] = storages as QueriedStorage[]
    if (!storage) throw new AppError('NOT_FOUND', texts.notFound)
    return inLocale(await this.test(storage, article, deadline), call.settings.admin_locale)
  }

  /**
   * The same for a supplier that is not saved yet (admin.md#supplier-test). Header values `"***"` are those stored for
   * a storage (admin.md#secrets).
   * @throws AppError CONTRACT_VIOLATION for `"***"` without a stored value; UNAVAILABLE or TIMEOUT from the stock
   *   service
   */
  @Handles(testSupplier)
  async testSupplier(call: CallOf<typeof testSupplier>): Promise<ReplyOf<typeof contract>> {
    const { supplier, article, storage_id } = call.body
    const deadline = new Deadline(call.timeLeft())
    const revealed = await this.calls.request(
      revealSupplier,
      { supplier, ...(storage_id !== undefined && { storage_id }) },
      { timeoutMs: deadline.limit() },
    )
    // a new storage has neither stock nor price lists
    if (storage_id === undefined && supplier.kind !== 'http') return { ok: true, ms: 0, brands: [], error: null }
    const storage = { id: storage_id ?? 0, name: '', supplier: revealed.supplier }
    return inLocale(await this.test(storage, article, deadline), call.settings.admin_locale)
  }

  private async test(storage: QueriedStorage, article: string, deadline: Deadline): Promise<ReplyOf<typeof contract>> {
    const started = performance.now()
    const elapsed = (): number => Math.round(performance.now() - started)
    try {
      const rows = await this.findBrands(storage, article, deadline)
      const brands = rows.slice(0, MAX_SHOWN).map(({ brand, article, name }) => ({ brand, article, name }))
      return { ok: true, ms: elapsed(), brands, error: null }
    } catch (error) {
      return { ok: false, ms: elapsed(), brands: [], error: toReason(error) }
    }
  }

  private async findBrands(storage: QueriedStorage, article: string, deadline: Deadline): Promise<readonly BrandRow[]> {
    const { supplier } = storage
    if (!supplier) throw new AppError('UNAVAILABLE', UNDECRYPTABLE)
    if (supplier.kind === 'http')
      return this.client.probe({ ...supplier, timeout_ms: deadline.limit(supplier.timeout_ms) }, article)
    const query = { article, articleKey: articleKey(article), held: new HeldByQuery() }
    const [answer] = await this.suppliers.findBrands([storage], query, deadline)
    if (answer?.outcome === 'ok' || answer?.outcome === 'partial') return answer.rows
    throw new AppError('UNAVAILABLE', answer?.error ?? texts.unavailable)
  }
}

function inLocale(outcome: ReplyOf<typeof contract>, locale: Locale): ReplyOf<typeof contract> {
  return { ...outcome, error: translateReason(outcome.error, locale) }
}

import { articleKey } from '@partsbus/contracts/article'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { testStorage as contract } from '@partsbus/contracts/search'
import { resolveStorages } from '@partsbus/contracts/stock'
import type { CallOf } from '@partsbus/platform/bus/call'
import { askBrands } from '../adapters/ask-all.js'
import { wordsOf } from '../adapters/outcome-of.js'
import type { SupplierSearchContext } from '../context.js'
import { Budget } from './budget.js'
import type { BrandRow } from './offer.js'
import type { AskedStorage } from './storage-answer.js'

const UNDECRYPTABLE =
  'The stored header values cannot be decrypted with the configured SECRETS_KEY; send them again, or add the older key.'
/** More would not help to see whether it works. */
const SHOWN_BRANDS = 500

/**
 * `POST /storages/:id/test` (admin.md#storage-test): asks the storage's supplier once, without cache or breaker, also while
 * the storage is not active.
 * @returns `ok`, how long it took, the brands as the supplier writes them, and what was wrong in words
 * @throws AppError NOT_FOUND; UNAVAILABLE or TIMEOUT from the stock service
 */
export async function testStorage(
  ctx: SupplierSearchContext,
  call: CallOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { id, article } = call.body
  const budget = new Budget(call.timeLeft())
  const { storages } = await ctx.calls.request(
    resolveStorages,
    { storage_ids: [id], include_inactive: true },
    { timeoutMs: budget.limit() },
  )
  const [storage] = storages as AskedStorage[]
  if (!storage) throw new AppError('NOT_FOUND', texts.notFound)
  const started = performance.now()
  const took = (): number => Math.round(performance.now() - started)
  try {
    const rows = await brandsOf(ctx, storage, article, budget)
    return {
      ok: true,
      ms: took(),
      brands: rows.slice(0, SHOWN_BRANDS).map(({ brand, article, name }) => ({ brand, article, name })),
      error: null,
    }
  } catch (error) {
    return { ok: false, ms: took(), brands: [], error: wordsOf(error) }
  }
}

async function brandsOf(
  ctx: SupplierSearchContext,
  storage: AskedStorage,
  article: string,
  budget: Budget,
): Promise<BrandRow[]> {
  const { supplier } = storage
  if (!supplier) throw new AppError('UNAVAILABLE', UNDECRYPTABLE)
  if (supplier.kind === 'http')
    return ctx.suppliers.probe({ ...supplier, timeout_ms: budget.limit(supplier.timeout_ms) }, article)
  const [answer] = await askBrands(
    ctx,
    [storage],
    { article, articleKey: articleKey(article), begun: new Map() },
    budget,
  )
  if (answer?.outcome === 'ok') return answer.rows
  const service = supplier.kind === 'own-stock' ? 'The catalog or the stock service' : 'The price-list service'
  throw new AppError('UNAVAILABLE', `${service} did not answer${answer?.outcome === 'timeout' ? ' in time' : ''}.`)
}

import { brandKey } from '@partsbus/contracts/article'
import type { SupplierSearchContext } from '../context.js'
import { type Answered, CutOff } from '../http/http-suppliers.js'
import { STORAGE_MS } from '../search/budget.js'
import type { HttpStorage, StorageAnswer } from '../search/storage-answer.js'
import type { SupplierOperation } from '../supplier-metrics.js'
import type { Adapter, PartsQuestion } from './adapter.js'
import { outcomeOf, wordsOf } from './outcome-of.js'

/** Suppliers that are asked over HTTP, each by itself, in its own spelling of the brands. */
export const httpSupplier: Adapter<HttpStorage> = {
  brands: (ctx, storages, { article }, budget) =>
    Promise.all(
      storages.map((storage) =>
        answerOne(ctx, storage, 'brands', async () => {
          const answered = await ctx.suppliers.brands(
            storage,
            article,
            budget.limit(storage.supplier.timeout_ms ?? STORAGE_MS),
          )
          if (!answered.cached)
            await learn(
              ctx,
              storage,
              answered.rows.map(({ brand }) => brand),
            )
          return answered
        }),
      ),
    ),

  async parts(ctx, storages, question, budget) {
    const spellings = await spellingsFor(ctx, storages, question)
    return Promise.all(
      storages.map((storage) =>
        answerOne(ctx, storage, 'parts', () =>
          ctx.suppliers.parts(
            storage,
            question.article,
            spellings(storage),
            budget.limit(storage.supplier.timeout_ms ?? STORAGE_MS),
          ),
        ),
      ),
    )
  },
}

/** In the supplier's own spelling where it is known, else in every spelling there is. */
async function spellingsFor(
  ctx: SupplierSearchContext,
  storages: readonly HttpStorage[],
  { brands, names }: PartsQuestion,
) {
  const asked = brands.map((brand) => ({
    all: names.spellings(brand),
    keys: [...new Set(names.spellings(brand).map(brandKey))],
  }))
  const suppliers = storages.map(({ supplier }) => supplier)
  const recalled = await Promise.all(
    asked.map(({ keys }) =>
      ctx.spellings.recall(suppliers, keys).catch((error: unknown) => {
        ctx.log.warn({ reason: wordsOf(error) }, 'spellings of suppliers cannot be read')
        return () => []
      }),
    ),
  )
  return ({ supplier }: HttpStorage): string[] => [
    ...new Set(
      asked.flatMap(({ all }, at) => {
        const own = recalled[at]?.(supplier) ?? []
        return own.length > 0 ? own : all
      }),
    ),
  ]
}

async function learn(ctx: SupplierSearchContext, { supplier }: HttpStorage, brands: string[]): Promise<void> {
  await ctx.spellings.learn(supplier, brands).catch((error: unknown) => {
    ctx.log.warn({ reason: wordsOf(error) }, 'spellings of a supplier cannot be kept')
  })
}

async function answerOne<Row>(
  ctx: SupplierSearchContext,
  storage: HttpStorage,
  operation: SupplierOperation,
  ask: () => Promise<Answered<Row>>,
): Promise<StorageAnswer<Row>> {
  const end = ctx.metrics.duration.startTimer({ adapter: 'http', operation })
  try {
    const { rows, cached } = await ask()
    end({ outcome: cached ? 'cached' : 'ok' })
    return { storage, outcome: 'ok', rows }
  } catch (error) {
    const outcome = outcomeOf(error)
    end({ outcome: error instanceof CutOff ? 'refused' : outcome })
    if (!(error instanceof CutOff))
      ctx.log.warn({ storage_id: storage.id, operation, outcome, reason: wordsOf(error) }, 'a supplier did not answer')
    return { storage, outcome, rows: [] }
  }
}

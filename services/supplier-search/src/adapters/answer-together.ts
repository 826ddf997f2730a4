import type { SupplierSearchContext } from '../context.js'
import type { Outcome, StorageAnswer } from '../search/storage-answer.js'
import type { SupplierOperation } from '../supplier-metrics.js'
import { outcomeOf, wordsOf } from './outcome-of.js'

interface Asked {
  adapter: 'own-stock' | 'price-list'
  operation: SupplierOperation
  storages: ReadonlyArray<{ id: number; name: string }>
}

/**
 * Asks once for all storages of a kind that lives in our own services: all answer, or none does.
 * @param ask gives the rows by storage id
 */
export async function answerTogether<Row>(
  ctx: SupplierSearchContext,
  { adapter, operation, storages }: Asked,
  ask: () => Promise<ReadonlyMap<number, Row[]>>,
): Promise<Array<StorageAnswer<Row>>> {
  const end = ctx.metrics.duration.startTimer({ adapter, operation })
  let rows: ReadonlyMap<number, Row[]> = new Map()
  let outcome: Outcome = 'ok'
  try {
    rows = await ask()
  } catch (error) {
    outcome = outcomeOf(error)
    ctx.log.warn({ adapter, operation, outcome, reason: wordsOf(error) }, 'storages did not answer')
  }
  end({ outcome })
  return storages.map((storage) => ({ storage, outcome, rows: rows.get(storage.id) ?? [] }))
}

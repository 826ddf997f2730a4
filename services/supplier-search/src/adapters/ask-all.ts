import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { AskedStorage, HttpStorage, StorageAnswer } from '../search/storage-answer.js'
import type { Adapter, BrandsQuestion, OwnAdapter, PartsQuestion } from './adapter.js'
import { httpSupplier } from './http.js'
import { ownStock } from './own-stock.js'
import { priceList } from './price-list.js'

/** Asks every storage for the brands of an article, all at once. */
export function askBrands(
  ctx: SupplierSearchContext,
  storages: readonly AskedStorage[],
  question: BrandsQuestion,
  budget: Budget,
): Promise<Array<StorageAnswer<BrandRow>>> {
  return askEachKind(storages, (adapter, those) => adapter.brands(ctx, those, question, budget))
}

/** Asks every storage for positions, all at once. */
export function askParts(
  ctx: SupplierSearchContext,
  storages: readonly AskedStorage[],
  question: PartsQuestion,
  budget: Budget,
): Promise<Array<StorageAnswer<Offer>>> {
  return askEachKind(storages, (adapter, those) => adapter.parts(ctx, those, question, budget))
}

/** Begins what own services are asked for brands, with storages that are only likely to be the right ones. */
export function beginBrands(
  ctx: SupplierSearchContext,
  likely: readonly AskedStorage[],
  question: BrandsQuestion,
  budget: Budget,
): void {
  for (const [adapter, those] of ownKinds(likely)) adapter.beginBrands(ctx, those, question, budget)
}

/** Begins what own services are asked for positions, with storages and names that are only likely to be the right ones. */
export function beginParts(
  ctx: SupplierSearchContext,
  likely: readonly AskedStorage[],
  question: PartsQuestion,
  budget: Budget,
): void {
  for (const [adapter, those] of ownKinds(likely)) adapter.beginParts(ctx, those, question, budget)
}

function ownKinds(storages: readonly AskedStorage[]): Array<[OwnAdapter, AskedStorage[]]> {
  const own = storages.filter(({ supplier }) => supplier?.kind === 'own-stock')
  const listed = storages.filter(({ supplier }) => supplier?.kind === 'price-list')
  const kinds: Array<[OwnAdapter, AskedStorage[]]> = [
    [ownStock, own],
    [priceList, listed],
  ]
  return kinds.filter(([, those]) => those.length > 0)
}

type Ask<Row> = <Storage extends AskedStorage>(
  adapter: Adapter<Storage>,
  storages: Storage[],
) => Promise<Array<StorageAnswer<Row>>>

async function askEachKind<Row>(storages: readonly AskedStorage[], ask: Ask<Row>): Promise<Array<StorageAnswer<Row>>> {
  const remote = storages.filter((storage): storage is HttpStorage => storage.supplier?.kind === 'http')
  const answers = await Promise.all([
    ...ownKinds(storages).map(([adapter, those]) => ask(adapter, those)),
    remote.length === 0 ? [] : ask(httpSupplier, remote),
    storages
      .filter(({ supplier }) => supplier === null)
      .map((storage) => ({ storage, outcome: 'error' as const, rows: [] })),
  ])
  return answers.flat()
}

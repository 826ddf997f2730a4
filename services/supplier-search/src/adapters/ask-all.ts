import type { SupplierSearchContext } from '../context.js'
import type { Budget } from '../search/budget.js'
import type { BrandRow, Offer } from '../search/offer.js'
import type { AskedStorage, HttpStorage, StorageAnswer } from '../search/storage-answer.js'
import type { Adapter, BrandsQuestion, PartsQuestion } from './adapter.js'
import { httpSupplier } from './http.js'
import { ownStock } from './own-stock.js'
import { priceList } from './price-list.js'

/** Asks every storage for the brands of an article, all at once. */
export function askBrands(ctx: SupplierSearchContext, storages: readonly AskedStorage[], question: BrandsQuestion, budget: Budget): Promise<Array<StorageAnswer<BrandRow>>> {
  return askEachKind(storages, (adapter, those) => adapter.brands(ctx, those, question, budget))
}

/** Asks every storage for positions, all at once. */
export function askParts(ctx: SupplierSearchContext, storages: readonly AskedStorage[], question: PartsQuestion, budget: Budget): Promise<Array<StorageAnswer<Offer>>> {
  return askEachKind(storages, (adapter, those) => adapter.parts(ctx, those, question, budget))
}

type Ask<Row> = <Storage extends AskedStorage>(adapter: Adapter<Storage>, storages: Storage[]) => Promise<Array<StorageAnswer<Row>>>

async function askEachKind<Row>(storages: readonly AskedStorage[], ask: Ask<Row>): Promise<Array<StorageAnswer<Row>>> {
  const ofKind = (kind: AskedStorage['supplier']['kind']) => storages.filter(({ supplier }) => supplier.kind === kind)
  const own = ofKind('own-stock')
  const listed = ofKind('price-list')
  const remote = storages.filter((storage): storage is HttpStorage => storage.supplier.kind === 'http')
  const answers = await Promise.all([
    own.length === 0 ? [] : ask(ownStock, own),
    listed.length === 0 ? [] : ask(priceList, listed),
    remote.length === 0 ? [] : ask(httpSupplier, remote),
  ])
  return answers.flat()
}

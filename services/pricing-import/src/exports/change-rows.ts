import type { VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import type { Cell } from './csv.js'

const columns = [
  ...['kind', 'brand', 'article', 'name', 'old_price', 'new_price', 'price_percent'],
  ...['old_quantity', 'new_quantity', 'old_delivery_days', 'new_delivery_days', 'old_name', 'old_row', 'new_row'],
]

/** Reads changes from a position on. */
export type ReadChanges = (position: number) => Promise<{ data: VersionChange[]; next: number }>

/** Yields one page of changes at a time (admin.md#change-files). */
export async function* changeRows(read: ReadChanges): AsyncGenerator<Cell[][]> {
  yield [columns]
  for (let page = await read(0); page.data.length > 0; page = await read(page.next)) yield page.data.map(changeRow)
}

function changeRow({ kind, brand, article, price_percent, changed, old: before, new: now }: VersionChange): Cell[] {
  const both = <Value extends Cell>(read: (side: NonNullable<VersionChange['old']>) => Value): Cell[] => [
    before && read(before),
    now && read(now),
  ]
  return [
    ...[kind, brand, article, (now ?? before)?.name ?? ''],
    ...[...both(({ price }) => price), price_percent],
    ...both(({ quantity }) => quantity),
    ...both(({ delivery_days }) => delivery_days),
    changed.includes('name') ? (before?.name ?? '') : '',
    ...both(({ row }) => row),
  ]
}

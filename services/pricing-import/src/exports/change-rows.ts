import type { VersionChange } from '@partsbus/contracts/pricing-import/version-change'
import type { Cell } from './csv.js'
import type { ExportWords } from './export-words.js'
import type { NameRow } from './offer-rows.js'

/** Reads changes from a position on. */
export type ReadChanges = (position: number) => Promise<{ data: VersionChange[]; next: number }>

/** Yields one page of changes at a time (admin.md#change-files). */
export async function* changeRows(
  read: ReadChanges,
  { changeColumns, changeKinds }: Pick<ExportWords, 'changeColumns' | 'changeKinds'>,
  names: { old: NameRow; new: NameRow } = { old: (row) => row, new: (row) => row },
): AsyncGenerator<Cell[][]> {
  yield [[...changeColumns]]
  for (let page = await read(0); page.data.length > 0; page = await read(page.next))
    yield page.data.map((change) => changeRow(change, changeKinds[change.kind], names))
}

function changeRow(
  { brand, article, price_percent, changed, old: before, new: now }: VersionChange,
  kind: string,
  names: { old: NameRow; new: NameRow },
) {
  const both = <Value extends Cell>(read: (side: NonNullable<VersionChange['old']>) => Value): Cell[] => [
    before && read(before),
    now && read(now),
  ]
  const cells: Cell[] = [
    ...[kind, brand, article, (now ?? before)?.name ?? ''],
    ...[...both(({ price }) => price), price_percent],
    ...both(({ quantity }) => quantity),
    ...both(({ delivery_days }) => delivery_days),
    changed.includes('name') ? (before?.name ?? '') : '',
    before?.row ? names.old(before.row) : null,
    now?.row ? names.new(now.row) : null,
  ]
  return cells
}

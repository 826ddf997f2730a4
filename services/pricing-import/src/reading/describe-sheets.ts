import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { SheetCount } from '@partsbus/price-file/row-block'
import type { ReadSheet } from '../rows/row-reader.js'
import type { RowSource } from './row-source.js'

/**
 * All sheets of a workbook with their rows, and which of them are read.
 * @param sheets those that were gone through, when all are read
 * @param seen rows of the sheets that were gone through; `''` is the only one; empty when reading stopped early
 */
export async function describeSheets(
  source: RowSource,
  sheets: readonly ReadSheet[],
  seen: ReadonlyMap<string, number>,
): Promise<Pick<Preview, 'sheets' | 'sheet_details'>> {
  const { sheet: only } = source.form
  const rowsSeen = (name: string): number | undefined => (name === only ? seen.get('') : seen.get(name))
  const counts = await countAll(source, seen.size > 0, (name) => rowsSeen(name) === undefined)
  const read = new Set(sheets.filter(({ isRead }) => isRead).map(({ name }) => name))
  return {
    sheets: counts.map(({ name }) => name),
    sheet_details: counts.map(({ name, isVisible, rows }) => ({
      name,
      rows: rowsSeen(name) ?? rows,
      is_hidden: !isVisible,
      is_read: name === only || read.has(name),
    })),
  }
}

/**
 * None of a text; of a workbook that breaks off the names alone.
 * @param isSeen whether all rows of the sheet that is read were seen
 */
async function countAll(
  source: RowSource,
  isSeen: boolean,
  isWanted: (name: string) => boolean,
): Promise<SheetCount[]> {
  const { sheet, sheets } = source.form
  if (isSeen && sheet !== null && sheets.length === 1) return [{ name: sheet, isVisible: true, rows: null }]
  try {
    return await source.countSheets(isWanted)
  } catch (error) {
    if (!(error instanceof PriceFileError)) throw error
    return sheets.map((name) => ({ name, isVisible: true, rows: null }))
  }
}

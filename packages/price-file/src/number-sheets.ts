import { PriceFileError } from './price-file-error.js'
import { defaultRowLimits, type RowBlock } from './row-block.js'

export const NO_DATA = 'No visible sheet of the workbook has data.'

/**
 * The rows of several sheets, one sheet after another. Their numbers go on from sheet to sheet, so that each row of the
 * file has its own.
 * @throws PriceFileError TOO_MANY_ROWS, NO_SHEET when all of them are blank
 */
export async function* numberSheets<Sheet extends { name: string }>(
  sheets: readonly Sheet[],
  open: (sheet: Sheet) => AsyncGenerator<RowBlock>,
): AsyncGenerator<RowBlock> {
  let offset = 0
  let hasData = false
  for (const each of sheets) {
    const sheet = { name: each.name, offset }
    let last = 0
    for await (const { first, rows } of open(each)) {
      last = first + rows.length - 1
      if (offset + last > defaultRowLimits.maxRows)
        throw new PriceFileError('TOO_MANY_ROWS', `The sheets have more than ${defaultRowLimits.maxRows} rows.`)
      hasData ||= rows.some((row) => row.some((cell) => cell.trim() !== ''))
      yield { first: offset + first, rows, sheet }
    }
    offset += last
  }
  if (!hasData) throw new PriceFileError('NO_SHEET', NO_DATA)
}

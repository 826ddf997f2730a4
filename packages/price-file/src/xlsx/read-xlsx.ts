import { PriceFileError } from '../price-file-error.js'
import { defaultRowLimits, type RowBlock, type RowLimits } from '../row-block.js'
import { ZipFile } from '../zip/zip-file.js'
import { readSharedStrings, SharedStrings } from './shared-strings.js'
import type { SheetSetting } from './sheet-cells.js'
import { sheetRows } from './sheet-rows.js'
import { openPart, readWorkbook, type SheetPart } from './workbook.js'

export interface XlsxOptions {
  /** `auto` for the first visible sheet with data, else a name or a 1-based number */
  sheet?: string | number
  limits?: Partial<RowLimits>
  /** unpacked bytes of one part */
  maxUnpacked?: number
}

/** An open workbook: the selected sheet and its rows. */
export interface XlsxRows {
  sheet: string
  /** the names of all sheets */
  sheets: string[]
  blocks: AsyncGenerator<RowBlock>
}

const MAX_PARTS = 2_000
const STRING_LIMITS = { maxStrings: 2_500_000, maxStringBytes: 256 * 1024 ** 2 }
const EXCEL_ROWS = 1_048_576

/**
 * Reads one sheet of an XLSX file by scanning its XML while it is unpacked; only the shared strings are held in memory.
 * @throws PriceFileError DAMAGED, TOO_LARGE, NO_SHEET at once; those and TOO_MANY_ROWS while the rows are read
 */
export async function readXlsx(path: string, options: XlsxOptions = {}): Promise<XlsxRows> {
  const limits = { ...defaultRowLimits, maxRows: EXCEL_ROWS, ...options.limits }
  const zip = await ZipFile.open(path, { maxEntries: MAX_PARTS, maxUnpacked: options.maxUnpacked ?? 1024 ** 3 })
  try {
    const workbook = await readWorkbook(zip)
    const strings = workbook.sharedStrings ? await openPart(zip, workbook.sharedStrings) : undefined
    const setting: SheetSetting = {
      strings: strings ? await readSharedStrings(strings, STRING_LIMITS) : new SharedStrings(),
      formats: workbook.formats,
      is1904: workbook.is1904,
    }
    for (const sheet of candidates(workbook.sheets, options.sheet ?? 'auto')) {
      const part = await openPart(zip, sheet.path)
      if (!part) continue
      const rows = sheetRows(part, setting, limits)
      const early = await untilData(rows)
      if (early.hasData || (options.sheet !== undefined && options.sheet !== 'auto')) {
        const sheets = workbook.sheets.map(({ name }) => name)
        return { sheet: sheet.name, sheets, blocks: withEnd(early.blocks, rows, () => zip.close()) }
      }
    }
    throw new PriceFileError('NO_SHEET', 'No visible sheet of the workbook has data.')
  } catch (error) {
    zip.close()
    throw error
  }
}

function candidates(sheets: SheetPart[], wanted: string | number): SheetPart[] {
  if (wanted === 'auto') return sheets.filter((sheet) => sheet.isVisible)
  const found =
    typeof wanted === 'number' ? sheets[wanted - 1] : sheets.find((sheet) => sheet.name.trim() === wanted.trim())
  if (!found)
    throw new PriceFileError(
      'NO_SHEET',
      `The workbook has no sheet ${typeof wanted === 'number' ? `number ${wanted}` : `"${wanted}"`}.`,
    )
  return [found]
}

async function untilData(rows: AsyncGenerator<RowBlock>): Promise<{ blocks: RowBlock[]; hasData: boolean }> {
  const blocks: RowBlock[] = []
  for (;;) {
    const { done, value } = await rows.next()
    if (done) return { blocks, hasData: false }
    blocks.push(value)
    if (value.rows.some((row) => row.some((cell) => cell.trim() !== ''))) return { blocks, hasData: true }
  }
}

async function* withEnd(
  early: RowBlock[],
  rows: AsyncGenerator<RowBlock>,
  close: () => void,
): AsyncGenerator<RowBlock> {
  try {
    yield* early
    yield* rows
  } finally {
    close()
  }
}

import { PriceFileError } from '../price-file-error.js'
import { ALL_SHEETS, defaultRowLimits, type RowBlock, type RowLimits, type SheetCount } from '../row-block.js'
import { NO_DATA, numberSheets } from '../number-sheets.js'
import { MOST_ROWS } from '../sheet-range.js'
import { ZipFile } from '../zip/zip-file.js'
import { readSharedStrings, SharedStrings } from './shared-strings.js'
import type { SheetSetting } from './sheet-cells.js'
import { sheetRows } from './sheet-rows.js'
import { openPart, partBytes, readWorkbook, type SheetPart } from './workbook.js'

export interface XlsxOptions {
  /** `auto` for the first visible sheet with data, `all` for all visible ones, else a name or a 1-based number */
  sheet?: string | number
  limits?: Partial<RowLimits>
  /** unpacked bytes of one part */
  maxUnpacked?: number
}

/** An open workbook: the selected sheet and its rows. */
export interface XlsxRows {
  /** null when all sheets are read */
  sheet: string | null
  /** the names of all sheets */
  sheets: string[]
  blocks: AsyncGenerator<RowBlock>
}

const MAX_PARTS = 2_000
const STRING_LIMITS = { maxStrings: 2_500_000, maxStringBytes: 256 * 1024 ** 2 }
/** Unpacked bytes of the sheets whose rows are only counted. */
const MAX_COUNTED_BYTES = 256 * 1024 ** 2

/**
 * Reads sheets of an XLSX file by scanning their XML while it is unpacked; only the shared strings are held in memory.
 * @throws PriceFileError DAMAGED, TOO_LARGE, NO_SHEET at once; those and TOO_MANY_ROWS while the rows are read
 */
export async function readXlsx(path: string, options: XlsxOptions = {}): Promise<XlsxRows> {
  const limits = { ...defaultRowLimits, maxRows: MOST_ROWS, ...options.limits }
  const { zip, workbook, setting } = await openBook(path, options)
  try {
    const sheets = workbook.sheets.map(({ name }) => name)
    if (options.sheet === ALL_SHEETS) {
      const rows = numberSheets(
        workbook.sheets.filter(({ isVisible }) => isVisible),
        (sheet) => sheetBlocks(zip, sheet, setting, limits),
      )
      return { sheet: null, sheets, blocks: withEnd([], rows, () => zip.close()) }
    }
    for (const sheet of candidates(workbook.sheets, options.sheet ?? 'auto')) {
      const part = await openPart(zip, sheet.path)
      if (!part) continue
      const rows = sheetRows(part, setting, limits)
      const early = await untilData(rows)
      if (early.hasData || (options.sheet !== undefined && options.sheet !== 'auto'))
        return { sheet: sheet.name, sheets, blocks: withEnd(early.blocks, rows, () => zip.close()) }
    }
    throw new PriceFileError('NO_SHEET', NO_DATA)
  } catch (error) {
    zip.close()
    throw error
  }
}

/**
 * Counts the rows of sheets that are not read. Very large sheets, and those that cannot be read, are not counted.
 * @param isWanted whether the rows of a sheet are counted
 */
export async function countXlsxSheets(
  path: string,
  options: Pick<XlsxOptions, 'maxUnpacked'>,
  isWanted: (name: string) => boolean,
): Promise<SheetCount[]> {
  const { zip, workbook, setting } = await openBook(path, options)
  try {
    const counts: SheetCount[] = []
    let bytes = 0
    for (const sheet of workbook.sheets) {
      const { name, isVisible } = sheet
      bytes += isWanted(name) ? partBytes(zip, sheet.path) : 0
      const isCounted = isWanted(name) && bytes <= MAX_COUNTED_BYTES
      const limits = { ...defaultRowLimits, maxRows: MOST_ROWS }
      counts.push({
        name,
        isVisible,
        rows: isCounted ? await countRows(sheetBlocks(zip, sheet, setting, limits)) : null,
      })
    }
    return counts
  } finally {
    zip.close()
  }
}

async function countRows(blocks: AsyncGenerator<RowBlock>): Promise<number | null> {
  let rows = 0
  try {
    for await (const block of blocks)
      for (const row of block.rows) if (row.some((cell) => cell.trim() !== '')) rows += 1
    return rows
  } catch (error) {
    if (error instanceof PriceFileError) return null
    throw error
  }
}

async function openBook(path: string, options: Pick<XlsxOptions, 'maxUnpacked'>) {
  const zip = await ZipFile.open(path, { maxEntries: MAX_PARTS, maxUnpacked: options.maxUnpacked ?? 1024 ** 3 })
  try {
    const workbook = await readWorkbook(zip)
    const strings = workbook.sharedStrings ? await openPart(zip, workbook.sharedStrings) : undefined
    const setting: SheetSetting = {
      strings: strings ? await readSharedStrings(strings, STRING_LIMITS) : new SharedStrings(),
      formats: workbook.formats,
      is1904: workbook.is1904,
    }
    return { zip, workbook, setting }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function* sheetBlocks(
  zip: ZipFile,
  sheet: SheetPart,
  setting: SheetSetting,
  limits: RowLimits,
): AsyncGenerator<RowBlock> {
  const part = await openPart(zip, sheet.path)
  if (part) yield* sheetRows(part, setting, limits)
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
    // a consumer that stops in the early blocks leaves it open
    await rows.return(undefined)
    close()
  }
}

import type { ImportWarning } from '@partsbus/contracts/pricing-import/import-warning'
import type { Preview, PreviewFacts } from '@partsbus/contracts/pricing-import/preview'
import type { StoredFile } from '../files/file-store.js'
import { locateRow, type RowLocation } from '../import-tasks/row-location.js'
import { showSkipped } from '../import-tasks/skipped-row.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import type { FilePreview } from '../reading/file-preview.js'
import { warn } from '../texts/import-warnings.js'
import type { Locale } from '../texts/skip-texts.js'
import { translate } from '../texts/translate.js'
import { hasEnoughRows, liveRows } from '../versions/enough-rows.js'

/** Lists that are read right leave out up to a tenth of their goods; twice as many are a wrong column. */
const MANY_SKIPPED = 0.2

/** What a preview shows besides the file itself. */
export interface PreviewSituation {
  list: PriceListRecord
  locale: Locale
  changes: Preview['changes']
  /** brands of the shown rows → as partners see them */
  shownBrands: Preview['shown_brands']
}

/** A preview as administrators see it (admin.md#preview). */
export function describePreview(
  read: FilePreview,
  { list, locale, changes, shownBrands }: PreviewSituation,
): Omit<Preview, 'preview_id' | 'file'> {
  const { positions, rows, rejected, totals, skipped_by_code } = read
  return {
    ...previewFacts(read, locale),
    totals,
    skipped_by_code,
    rows: rows.map(({ brand_key: _key, row, ...offer }) => ({ ...located({ row }, positions), ...offer })),
    rejected: rejected.map((row) => showSkipped(row, locale, positions)),
    live_rows: liveRows(list),
    guard: guard(list, read.totals.importable),
    changes: changes && list.mode === 'merge' ? { ...changes, gone: 0 } : changes,
    warnings: listWarnings(read, list, locale),
    shown_brands: shownBrands,
  }
}

/** What was read of a file whose preview is refused. */
export function previewFacts(read: FilePreview, locale: Locale): PreviewFacts {
  const { encoding, delimiter, sheet, sheets, sheet_details, columns, found_by, choices } = read
  const facts = { encoding, delimiter, sheet, sheets, sheet_details, columns, found_by, choices, ...locateTop(read) }
  const { problem } = read
  return { ...facts, ...(problem && { problem: { ...problem, message: translate(problem.message, locale) } }) }
}

/** The header and the sample with the places of their rows. */
function locateTop({ header, sample, positions }: FilePreview): Pick<Preview, 'header' | 'sample'> {
  return {
    header: header && located(header, positions),
    sample: sample.map((row) => located(row, positions)),
  }
}

/** A row of one of several sheets with the name of its sheet, and its number there. */
function located<Row extends { row: number }>(
  row: Row,
  positions: FilePreview['positions'],
): Row & Partial<RowLocation> {
  const { sheet, sheet_row } = locateRow(row.row, positions)
  return { ...row, ...(sheet !== undefined && { sheet, sheet_row }) }
}

/** The stored file, which names the preview. */
export function storedAs({ key, name, size }: StoredFile): Pick<Preview, 'preview_id' | 'file'> {
  return { preview_id: key, file: { name, size } }
}

function listWarnings(read: FilePreview, list: PriceListRecord, locale: Locale): ImportWarning[] {
  const { totals, sheet_details, unnamed, unpriced, doubtfulBrands, problem } = read
  // when none of all sheets fits, the problem says so
  if (problem && read.sheet === null) return []
  const unread = sheet_details.filter(({ is_read, is_hidden, rows }) => !is_read && !is_hidden && rows !== 0)
  const warnings =
    unread.length === 0
      ? []
      : [
          warn(
            'SHEETS_UNREAD',
            locale,
            unread.length,
            unread.map(({ name }) => name),
          ),
        ]
  if (problem) return warnings
  const lost = lostRows(read)
  if (totals.importable === 0) warnings.push(warn('NOTHING_TO_IMPORT', locale, totals.rows))
  else if (guard(list, totals.importable) === 'fails') warnings.push(warn('TOO_FEW_ROWS', locale, totals.importable))
  else if (shrinks(list, totals.importable))
    warnings.push(warn('LIST_SHRINKS', locale, liveRows(list) - totals.importable))
  if (totals.importable > 0 && isMany(lost, totals)) warnings.push(warn('MANY_SKIPPED', locale, lost))
  if (doubtfulBrands > 0) warnings.push(warn('BRANDS_DOUBTFUL', locale, doubtfulBrands))
  if (unpriced > 0) warnings.push(warn('NO_PRICE', locale, unpriced))
  if (unnamed > 0) warnings.push(warn('NO_NAME', locale, unnamed))
  return warnings
}

/** Skipped rows that may hold an offer: headings hold none. */
const lostRows = ({ totals, skipped_by_code: codes }: FilePreview): number =>
  totals.skipped - (codes['GROUP_ROW'] ?? 0) - (codes['REPEATED_HEADER'] ?? 0)

const isMany = (lost: number, { importable }: FilePreview['totals']): boolean =>
  lost >= (importable + lost) * MANY_SKIPPED

/** Whether less than half of the live offers would be left. */
const shrinks = (list: PriceListRecord, rows: number): boolean =>
  list.mode !== 'merge' && !hasEnoughRows(rows, liveRows(list), 0.5)

/** A merge adds to the live offers, so it always passes. */
function guard(list: PriceListRecord, rows: number): Preview['guard'] {
  if (list.min_rows_ratio === null) return 'off'
  return list.mode === 'merge' || hasEnoughRows(rows, liveRows(list), list.min_rows_ratio) ? 'passes' : 'fails'
}

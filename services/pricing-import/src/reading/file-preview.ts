import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import type { LeftOutRow } from '../import-tasks/skipped-row.js'
import type { Field } from '../rows/field-headings.js'
import type { ImportableRow } from '../rows/read-row.js'

/** The part of a preview that depends on the file alone, without texts. */
export interface FilePreview extends Pick<
  Preview,
  | 'encoding'
  | 'delimiter'
  | 'sheet'
  | 'sheets'
  | 'sheet_details'
  | 'columns'
  | 'found_by'
  | 'choices'
  | 'header'
  | 'sample'
  | 'totals'
  | 'skipped_by_code'
> {
  rows: Array<Omit<ImportableRow, 'article_key'> & { row: number }>
  rejected: LeftOutRow[]
  /** importable rows without the name of a product */
  unnamed: number
  /** importable rows without a price */
  unpriced: number
  /** the number of brands where they look like article numbers; else 0 */
  doubtfulBrands: number
  /** the sheets that the numbers of rows go through, when all are read */
  positions: Array<{ name: string; offset: number }>
  problem?: { code: string; missing: Field[]; message: string }
  /** whether the file cannot be read in any format: `problem` is an error also where there is a draft */
  isUnreadable?: boolean
}

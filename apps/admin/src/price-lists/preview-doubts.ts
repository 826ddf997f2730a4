import { lacksBrands } from '../imports/warning-text.js'
import type { FilePreview } from './price-list-calls.js'

type Doubtful = Pick<FilePreview, 'warnings' | 'totals'>

/** From this share of rows without a price on, a person is asked before the import. */
const MANY_UNPRICED = 0.1

/** The warnings that a person has to confirm before an import: it would succeed, and do harm. */
export function doubtsOf({ warnings, totals }: Doubtful): FilePreview['warnings'] {
  return warnings.filter(({ code, count }) => {
    if (code === 'NO_PRICE') return count >= totals.importable * MANY_UNPRICED
    return code === 'BRANDS_DOUBTFUL' || code === 'LIST_SHRINKS' || code === 'MANY_SKIPPED'
  })
}

/** Live offers that the file does not have: a merge would leave them as they are. */
export const offersOfOtherFiles = ({
  live_rows,
  totals,
  changes,
}: Pick<FilePreview, 'live_rows' | 'totals' | 'changes'>): number =>
  changes === null ? 0 : Math.max(0, live_rows - (totals.importable - changes.added))

/** The preview of a file that is merged, although its list replaces: nothing goes, so the list cannot shrink. */
export function asMerged<Preview extends Pick<FilePreview, 'warnings' | 'changes'>>(preview: Preview): Preview {
  const { changes, warnings } = preview
  return {
    ...preview,
    changes: changes && { ...changes, gone: 0 },
    warnings: warnings.filter(({ code }) => code !== 'LIST_SHRINKS' && code !== 'TOO_FEW_ROWS'),
  }
}

/** Brands are looked for in names, and no column is read as the name: most rows are left out for lack of a brand. */
export const lacksNamesWithBrands = ({
  columns,
  totals,
  skipped_by_code,
}: Pick<FilePreview, 'columns' | 'totals' | 'skipped_by_code'>): boolean =>
  columns.name === undefined && lacksBrands(totals.rows, skipped_by_code)

import { type Field, fields } from '../rows/field-headings.js'
import { listCandidates } from '../rows/heading.js'
import type { Layout } from '../rows/layout.js'
import type { NumberedRow, ReadingRules } from '../rows/row-reader.js'
import type { FilePreview } from './file-preview.js'

const HEADING = 200

/** The column of each field, how it was found, and which others would do. Columns are 1-based. */
export function showLayout(
  layout: Layout | undefined,
  { format }: ReadingRules,
  header: NumberedRow | null,
): Pick<FilePreview, 'columns' | 'found_by' | 'choices'> {
  const columns: FilePreview['columns'] = {}
  const found_by: FilePreview['found_by'] = {}
  for (const field of fields) {
    const found = layout?.columns[field].map((column) => column + 1) ?? []
    if (found.length === 0) continue
    columns[field] = found.length === 1 ? found[0] : found
    found_by[field] = format.columns?.[field] === undefined ? 'heading' : 'set'
  }
  for (const field of ['brand', 'quantity'] as const) {
    const value = layout?.[field]
    if (value === undefined) continue
    columns[field] = { value }
    found_by[field] = 'set'
  }
  if (layout?.hasGroupBrand) {
    columns['brand'] = { group: true }
    found_by['brand'] = 'set'
  }
  return { columns, found_by, choices: listChoices(layout, found_by, header?.cells ?? []) }
}

/** Columns that no field uses and whose heading means a field that was found by its heading. */
function listChoices(
  layout: Layout | undefined,
  found_by: FilePreview['found_by'],
  headings: readonly string[],
): FilePreview['choices'] {
  const used = new Set(layout ? Object.values(layout.columns).flat() : [])
  const choices: FilePreview['choices'] = {}
  const list = (field: Field) =>
    listCandidates(headings, field)
      .filter((column) => !used.has(column))
      .map((column) => ({ column: column + 1, heading: (headings[column] ?? '').slice(0, HEADING).toWellFormed() }))
  for (const field of fields) {
    if (found_by[field] !== 'heading') continue
    const others = list(field)
    if (others.length > 0) choices[field] = others
  }
  return choices
}

import { z } from 'zod'
import { identifier, requiredText } from '../field.js'
import { deliveryDays, markupPercent, offer, priceListFormat, skippedRow } from './price-list.js'

/** Largest draft of a preview as JSON, in bytes. */
export const MAX_DRAFT_BYTES = 16 * 1024

/** Settings of a list that a preview uses instead of the stored ones. */
export const previewDraft = z
  .strictObject({ format: priceListFormat.optional(), markup_percent: markupPercent, delivery_days: deliveryDays })
  .check((ctx) => {
    if (new TextEncoder().encode(JSON.stringify(ctx.value)).length <= MAX_DRAFT_BYTES) return
    const text = `The draft must not be greater than ${MAX_DRAFT_BYTES} bytes.`
    ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'max', limit: MAX_DRAFT_BYTES, text } })
  })
  .meta({ id: 'PreviewDraft' })

export type PreviewDraft = z.infer<typeof previewDraft>

/** A file that is stored already: one that was previewed, or that of an import. Exactly one of them is named. */
const storedFile = z
  .strictObject({ preview_id: requiredText().optional(), task_id: identifier().optional() })
  .check((ctx) => {
    if ((ctx.value.preview_id === undefined) !== (ctx.value.task_id === undefined)) return
    const text = 'The file must have either a preview_id or a task_id.'
    ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'format', text } })
  })
  .transform(({ preview_id = '', task_id }) => (task_id === undefined ? { preview_id } : { task_id }))
  .meta({ id: 'StoredFile' })

/** A preview of a file that is stored already. */
export const previewAgain = z
  .strictObject({ file: storedFile, draft: previewDraft.optional() })
  .meta({ id: 'PreviewAgain' })

/** How one import treats the live list, in place of the mode of the list. */
export const mergeOnce = z.enum(['merge'])

/** An import of a file that was previewed. */
export const previewedUpload = z
  .strictObject({ preview_id: requiredText(), mode: mergeOnce.optional() })
  .meta({ id: 'PreviewedUpload' })

const rawRow = z.object({ row: z.int().describe('1-based, as in the file'), cells: z.array(z.string()) })

export const preview = z
  .object({
    encoding: z.string().nullable(),
    delimiter: z.string().nullable(),
    sheet: z.string().nullable(),
    columns: z.record(z.string(), z.unknown()).describe('field → 1-based column, or the constant'),
    rows: z.array(offer.extend({ row: z.int().describe('1-based, as in the file') })).describe('the first 20'),
    rejected: z.array(skippedRow).describe('the first 100'),
    totals: z.object({ rows: z.int(), importable: z.int(), skipped: z.int() }),
    preview_id: z.string().describe('names the file for an hour'),
    file: z.object({ name: z.string(), size: z.int().describe('bytes') }),
    sheets: z.array(z.string()).describe('the names of all sheets of a workbook'),
    header: rawRow.nullable().describe('null: there is none'),
    sample: z.array(rawRow).describe('the first 30 rows that are not blank; cells are cut at 100 characters'),
    found_by: z
      .record(z.string(), z.enum(['set', 'heading']))
      .describe('field → `set` by the format, or found by its `heading`'),
    skipped_by_code: z.record(z.string(), z.int()),
    live_rows: z.int().describe('offers of the live version; 0 while there is none'),
    guard: z.enum(['off', 'passes', 'fails']).describe('whether `min_rows_ratio` would admit the file'),
    problem: z
      .object({ code: z.string(), missing: z.array(z.string()).describe('fields'), message: z.string() })
      .optional()
      .describe('with a draft: why the file cannot be imported with it'),
  })
  .meta({ id: 'Preview' })

export type Preview = z.infer<typeof preview>

/** The same from a service of version 0.1, which lacks fields. */
export const previewReply = preview
  .partial({
    preview_id: true,
    file: true,
    sheets: true,
    header: true,
    sample: true,
    found_by: true,
    skipped_by_code: true,
    live_rows: true,
    guard: true,
  })
  .extend({ rows: z.array(offer.extend({ row: z.int().optional() })) })

import { z } from 'zod'
import { identifier, requiredText } from '../field.js'
import { importWarning } from './import-warning.js'
import { deliveryDays, fileRow, markupPercent, offer, priceListFormat, sheetRow, skippedRow } from './price-list.js'

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

const columnChoice = z
  .object({ column: z.int().describe('1-based'), heading: z.string().meta({ example: 'Розница, руб' }) })
  .meta({ id: 'ColumnChoice' })

export const preview = z
  .object({
    encoding: z.string().nullable().meta({ example: 'windows-1251' }),
    delimiter: z.string().nullable().meta({ example: ';' }),
    sheet: z.string().nullable().meta({ example: null }),
    columns: z
      .record(z.string(), z.unknown())
      .describe('field → 1-based column, or the constant')
      .meta({ example: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 } }),
    rows: z
      .array(offer.extend({ row: z.int().describe('1-based, as in the file'), ...sheetRow }).meta({ id: 'PreviewRow' }))
      .describe('the first 20'),
    rejected: z.array(skippedRow).describe('the first 100'),
    totals: z.object({ rows: z.int(), importable: z.int(), skipped: z.int() }).meta({ id: 'PreviewTotals' }),
    preview_id: z.string().describe('names the file for an hour').meta({ example: '118-5f3a9c0e7b21' }),
    file: z
      .object({ name: z.string().meta({ example: 'price.csv' }), size: z.int().describe('bytes') })
      .meta({ id: 'PreviewFile' }),
    sheets: z.array(z.string()).describe('the names of all sheets of a workbook').meta({ example: [] }),
    sheet_details: z
      .array(
        z
          .object({
            name: z.string().meta({ example: 'price.csv' }),
            rows: z
              .int()
              .nullable()
              .describe('that are not blank; null: not counted, because the sheet is too large')
              .meta({ example: 51_200 }),
            is_hidden: z.boolean(),
            is_read: z.boolean(),
          })
          .meta({ id: 'PreviewSheet' }),
      )
      .describe('all sheets of a workbook; sheets that are not read do not take part in the import'),
    header: fileRow.nullable().describe('null: there is none'),
    sample: z.array(fileRow).describe('the first 30 rows that are not blank; cells are cut at 100 characters'),
    found_by: z
      .record(z.string(), z.enum(['set', 'heading']))
      .describe('field → `set` by the format, or found by its `heading`'),
    choices: z
      .record(z.string(), z.array(columnChoice))
      .describe('field that was found by its heading → other columns whose heading would do'),
    skipped_by_code: z.record(z.string(), z.int()),
    live_rows: z.int().describe('offers of the live version; 0 while there is none').meta({ example: 0 }),
    changes: z
      .object({
        added: z.int(),
        gone: z.int().describe('0 when the import merges'),
        repriced: z.int().describe('in both, at another price; with `price_added` and `price_gone`'),
        price_added: z.int().describe('in both, with a price in the file alone'),
        price_gone: z.int().describe('in both, with a price in the live offers alone'),
        is_estimate: z.boolean().describe('extrapolated from a sample of the live offers'),
      })
      .meta({ id: 'PreviewChanges' })
      .nullable()
      .describe('the importable rows against the live offers; null: the file cannot be imported'),
    warnings: z.array(importWarning),
    shown_brands: z.record(z.string(), z.string()).describe('brand of the shown rows → brand as partners see it'),
    guard: z.enum(['off', 'passes', 'fails']).describe('whether `min_rows_ratio` would admit the file'),
    problem: z
      .object({ code: z.string(), missing: z.array(z.string()).describe('fields'), message: z.string() })
      .meta({ id: 'PreviewProblem' })
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
    sheet_details: true,
    choices: true,
    changes: true,
    warnings: true,
    shown_brands: true,
  })
  .extend({
    rows: z.array(offer.extend({ row: z.int().optional(), ...sheetRow })),
  })

/** What was read of a file whose preview is refused with 400. */
export const previewFacts = preview
  .pick({
    encoding: true,
    delimiter: true,
    sheet: true,
    sheets: true,
    sheet_details: true,
    columns: true,
    found_by: true,
    choices: true,
    header: true,
    sample: true,
    problem: true,
  })
  .meta({ id: 'PreviewFacts' })

export type PreviewFacts = z.infer<typeof previewFacts>

/** The answer to a preview that is refused. */
export const refusedPreview = z
  .object({
    message: z.string().meta({ example: 'Columns were not found: price.' }),
    preview: previewFacts.optional().describe('absent when nothing could be read'),
  })
  .meta({ id: 'RefusedPreview' })

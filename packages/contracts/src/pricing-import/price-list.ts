import { z } from 'zod'
import { amount, identifier, integer, plainText, requiredText } from '../field.js'

/** A column by 1-based number, letter (`A`, `AB`) or header text; several are tried in order. */
const columnName = z.union([integer(1, 1_000), requiredText(191)])
const column = z.union([columnName, z.array(columnName).min(1).max(20)])
const brandColumn = z.union([column, z.strictObject({ value: requiredText(191) })])

export const priceListFormat = z
  .strictObject({
    encoding: z.enum(['auto', 'utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'cp866', 'koi8-r']).optional(),
    delimiter: z.enum(['auto', ';', '\t', ',', '|']).optional(),
    sheet: z
      .union([requiredText(191), integer(1, 1_000)])
      .optional()
      .describe('`auto`, a name, or a 1-based number'),
    skip_rows: integer(0, 100_000).optional().describe('rows to skip before the header'),
    header: z.boolean().optional().describe('whether there is a header row; absent: detected'),
    columns: z
      .strictObject({
        brand: brandColumn.optional(),
        article: column.optional(),
        name: column.optional(),
        quantity: column.optional(),
        price: column.optional(),
        delivery_days: column.optional(),
      })
      .optional()
      .describe('absent fields are detected by common headings in Russian and English'),
  })
  .meta({ id: 'PriceListFormat' })

export type PriceListFormat = z.infer<typeof priceListFormat>

const everyMinutes = integer(1, 44_640)
const sourceHead = {
  id: identifier().optional(),
  is_active: z.boolean().optional(),
  every_minutes: everyMinutes.optional(),
  last_run: z.unknown().optional().describe('read only: ignored in requests'),
}
const secret = plainText(1_000).optional().describe('stored encrypted, answered as "***"; sending "***" keeps it')

const port = integer(1, 65_535).optional()
const pattern = plainText(255).optional().describe('`*` matches any text; case-insensitive; absent: any')

const urlSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('url'),
  url: requiredText(2_000).describe('http or https, without user name and password'),
  username: plainText(191).optional(),
  password: secret,
})
const ftpSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('ftp'),
  host: requiredText(255),
  port: port.describe('21 unless given'),
  secure: z.boolean().optional().describe('FTP over TLS; on port 990 from the first byte'),
  username: plainText(191).optional().describe('`anonymous` unless given'),
  password: secret,
  path: plainText(1_000).optional().describe('the folder'),
  pattern: pattern.describe('of file names, like `price*.zip`; the newest match is imported'),
})
const emailSource = z.strictObject({
  ...sourceHead,
  kind: z.literal('email'),
  host: requiredText(255).describe('of the IMAP server'),
  port: port.describe('993 unless given, with TLS; 143 with STARTTLS'),
  username: plainText(191).optional(),
  password: secret,
  folder: plainText(255).optional().describe('`INBOX` unless given'),
  from: pattern,
  subject: pattern,
  file_name: pattern,
})

export const priceListSource = z
  .discriminatedUnion('kind', [urlSource, ftpSource, emailSource])
  .meta({ id: 'PriceListSource' })

export type PriceListSource = z.infer<typeof priceListSource>

const markupPercent = z.number().min(-100).max(10_000).optional()
const deliveryDays = integer(0).nullable().optional()

const fields = {
  name: requiredText(),
  storage_id: identifier(),
  is_active: z.boolean().optional(),
  mode: z.enum(['replace', 'merge']).optional(),
  markup_percent: markupPercent,
  min_rows_ratio: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .optional()
    .describe('an import fails when it has fewer rows than this share of the live version'),
  delivery_days: deliveryDays.describe('for rows without a value'),
  format: priceListFormat.optional(),
  sources: z.array(priceListSource).max(20).optional(),
}

export const newPriceList = z.strictObject(fields).meta({ id: 'NewPriceList' })
export const priceListPatch = newPriceList.partial().meta({ id: 'PriceListPatch' })

const lastRun = z
  .object({
    at: z.iso.datetime().describe('start of the run'),
    outcome: z.enum(['imported', 'unchanged', 'failed']).describe('`imported`: an import was started, see `task_id`'),
    message: z.string(),
    task_id: z.int().nullable(),
  })
  .nullable()
const shown = {
  id: z.int(),
  is_active: z.boolean(),
  every_minutes: z.int(),
  last_run: lastRun.describe('null: it has not run yet'),
}

/** A source in the admin API. */
const shownSource = z
  .discriminatedUnion('kind', [urlSource.extend(shown), ftpSource.extend(shown), emailSource.extend(shown)])
  .meta({ id: 'ShownPriceListSource' })

/** A price list in the admin API. */
export const priceList = z
  .object({
    id: z.int(),
    name: z.string(),
    storage_id: z.int(),
    is_active: z.boolean(),
    mode: z.enum(['replace', 'merge']),
    markup_percent: z.number(),
    min_rows_ratio: z.number().nullable(),
    delivery_days: z.int().nullable(),
    format: priceListFormat,
    sources: z.array(shownSource),
  })
  .meta({ id: 'PriceList' })

export type NewPriceList = z.infer<typeof newPriceList>
export type PriceListPatch = z.infer<typeof priceListPatch>
export type PriceList = z.infer<typeof priceList>
export type SourceLastRun = z.infer<typeof lastRun>

/** A stored version of a list (admin.md#versions). */
export const priceListVersion = z
  .object({
    version: z.int(),
    task_id: z.int(),
    rows: z.int(),
    is_active: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'PriceListVersion' })

export const priceListVersions = z.array(priceListVersion)
export type PriceListVersion = z.infer<typeof priceListVersion>

/** The offer of one row, shown by a preview and stored by an import. */
export const offer = z
  .object({
    brand: z.string(),
    article: z.string(),
    name: z.string(),
    quantity: z.int(),
    price: amount().nullable(),
    delivery_days: z.int().nullable(),
  })
  .meta({ id: 'Offer' })

export type Offer = z.infer<typeof offer>

/** A skipped row with its number and the reason. */
export const skippedRow = z
  .object({
    row: z.int().describe('1-based, as in the file'),
    code: z.string(),
    message: z.string(),
    cells: z.array(z.string()),
  })
  .meta({ id: 'SkippedRow' })

export type SkippedRow = z.infer<typeof skippedRow>

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

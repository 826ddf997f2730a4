import { z } from 'zod'
import { pageOf, pageRequest } from '../paging.js'
import { taskStatuses } from './import-task.js'
import { amount, identifier, integer, plainText, requiredText } from '../field.js'
import { formatEncoding } from './encoding.js'

/** A column by 1-based number, letter (`A`, `AB`) or header text; several are tried in order. */
const columnName = z.union([integer(1, 1_000), requiredText(191)])
const column = z.union([columnName, z.array(columnName).min(1).max(20)])
const brandColumn = z.union([column, z.strictObject({ value: requiredText(191) })])
/** Of every row, for a list that has no column of quantities. */
const quantityColumn = z.union([column, z.strictObject({ value: integer(0, 2_147_483_647) })])

const ignoredValues = z.array(requiredText(191)).max(100).optional()

export const priceListFormat = z
  .strictObject({
    encoding: formatEncoding.optional(),
    delimiter: z.enum(['auto', ';', '\t', ',', '|']).optional(),
    sheet: z
      .union([requiredText(191), integer(1, 1_000)])
      .optional()
      .describe('`auto`, `all`, a name, or a 1-based number'),
    skip_rows: integer(0, 100_000).optional().describe('rows to skip before the header'),
    header: z.boolean().optional().describe('whether there is a header row; absent: detected'),
    columns: z
      .strictObject({
        brand: brandColumn.optional(),
        article: column.optional(),
        name: column.optional(),
        quantity: quantityColumn.optional(),
        price: column.optional(),
        delivery_days: column.optional(),
      })
      .optional()
      .describe('absent fields are detected by common headings in Russian and English'),
    ignore_values: z
      .strictObject({
        brand: ignoredValues,
        article: ignoredValues,
        name: ignoredValues,
        quantity: ignoredValues,
        price: ignoredValues,
        delivery_days: ignoredValues,
      })
      .optional()
      .describe('cells that count as blank, so that the next column of the field is read; `*` at the end: any rest'),
    duplicates: z
      .enum(['last', 'first', 'cheapest'])
      .optional()
      .describe('which of several rows with the same brand and article is imported; `last` unless given'),
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

/** A source as it is saved (admin.md#sources). */
export const priceListSource = z
  .discriminatedUnion('kind', [urlSource, ftpSource, emailSource])
  .meta({ id: 'PriceListSource' })

export type PriceListSource = z.infer<typeof priceListSource>

export const markupPercent = z.number().min(-100).max(10_000).optional()
export const deliveryDays = integer(0).nullable().optional()

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

/** The outcome of fetching the file of a source. */
export const sourceTest = z
  .object({
    ok: z.boolean(),
    ms: z.int(),
    code: z.string().nullable().describe('of the failure'),
    message: z.string(),
    file: z
      .object({
        name: z.string(),
        size: z.int(),
        modified_at: z.iso.datetime().nullable().describe('null when the server does not report it'),
      })
      .nullable(),
    preview_id: z.string().nullable().describe('names the file for an hour'),
  })
  .meta({ id: 'SourceTest' })

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

/** A price list in a list of them, with its state. */
export const priceListRow = priceList
  .extend({
    live: z
      .object({ version: z.int(), rows: z.int(), since: z.iso.datetime() })
      .nullable()
      .describe('the live version; null while there is none'),
    last_task: z
      .object({
        id: z.int(),
        status: z.enum(taskStatuses),
        completed_at: z.iso.datetime().nullable(),
        superseded: z.boolean(),
        error_code: z.string().nullable(),
      })
      .nullable()
      .describe('the newest import; null: there is none'),
    next_run_at: z.iso.datetime().nullable().describe('when a source is fetched next; null: none will be'),
  })
  .meta({ id: 'PriceListRow' })

/** The same from a service of version 0.1, which lacks fields. */
export const priceListRowReply = priceListRow.partial({ live: true, last_task: true, next_run_at: true })

export type PriceListRow = z.infer<typeof priceListRow>

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

/** A live offer of a list, as it is stored. */
export const liveOffer = offer
  .extend({ row: z.int().nullable().describe('row of its file; null: a merge copied it from the previous version') })
  .meta({ id: 'LiveOffer' })

/** The filters of the list of price lists. */
export const priceListsQuery = pageRequest.extend({
  q: plainText(191).optional().describe('a part of the name'),
  storage_id: identifier().optional().describe('only those of this storage'),
  is_active: z.boolean().optional(),
  problem: z.boolean().optional().describe('`true`: only those whose last import, or a source, failed'),
})

/** Which live offers of a list. */
export const liveOffersQuery = pageRequest.extend({
  article: plainText(191).optional().describe('spelled in any way'),
  brand: plainText(191).optional().describe('spelled in any way'),
})

/** A page of live offers, with their version; null while there is none. */
export const liveOffers = pageOf(liveOffer).extend({ version: z.int().nullable() }).meta({ id: 'LiveOffers' })

/** Of a row of a workbook whose sheets are all read; its `row` counts the rows of the sheets before it, too. */
export const sheetRow = {
  sheet: z.string().optional().describe('when all sheets of a workbook are read'),
  sheet_row: z.int().optional().describe('1-based, as in its sheet'),
}

/** A skipped row with its number and the reason. */
export const skippedRow = z
  .object({
    row: z.int().describe('1-based, as in the file'),
    ...sheetRow,
    code: z.string(),
    message: z.string().describe('in the locale of the setting `admin_locale`'),
    cells: z.array(z.string()),
  })
  .meta({ id: 'SkippedRow' })

export type SkippedRow = z.infer<typeof skippedRow>

/** The header row of a file. */
export const headerRow = z.object({ row: z.int().describe('1-based, as in the file'), cells: z.array(z.string()) })

/** A page of skipped rows, with the header of their file. */
export const skippedRows = pageOf(skippedRow)
  .extend({ header: headerRow.nullable().optional().describe('of the file; null: there is none, or it is not known') })
  .meta({ id: 'SkippedRows' })

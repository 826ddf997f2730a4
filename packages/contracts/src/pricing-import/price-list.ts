import { z } from 'zod'
import { caller } from '../administration/caller.js'
import { pageOf, pageRequest } from '../paging.js'
import { taskStatuses } from './import-task.js'
import { amount, identifier, integer, plainText, requiredText } from '../field.js'
import { formatEncoding } from './encoding.js'
import { priceListSource, shownSource } from './price-list-source.js'

const columnName = z
  .union([integer(1, 1_000), requiredText(191)])
  .meta({ id: 'ColumnName', description: 'a 1-based number, a letter (`A`, `AB`) or a header text' })
const column = z
  .union([columnName, z.array(columnName).min(1).max(20)])
  .meta({ id: 'Column', description: 'one column, or several that are tried in order' })
const brandColumn = z
  .union([
    column,
    z.strictObject({ value: requiredText(191) }).meta({ id: 'ConstantBrand' }),
    z.strictObject({ group: z.literal(true) }).meta({ id: 'GroupBrand' }),
  ])
  .meta({ id: 'BrandColumn', description: 'a column, the brand of every row, or the heading of the group above' })
const quantityColumn = z
  .union([column, z.strictObject({ value: integer(0, 2_147_483_647) }).meta({ id: 'ConstantQuantity' })])
  .meta({ id: 'QuantityColumn', description: 'a column, or the quantity of every row' })

const ignoredValues = z.array(requiredText(191)).max(100).optional()

export const priceListFormat = z
  .strictObject({
    encoding: formatEncoding.optional(),
    delimiter: z
      .enum(['auto', ';', '\t', ',', '|'])
      // generators make names of the values otherwise, and a tab is none
      .meta({ 'x-enum-varnames': ['auto', 'semicolon', 'tab', 'comma', 'pipe'] })
      .optional(),
    sheet: z
      .union([requiredText(191), integer(1, 1_000)])
      .meta({ id: 'Sheet', description: '`auto`, `all`, a name, or a 1-based number' })
      .optional(),
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
      .meta({ id: 'PriceListColumns' })
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
      .meta({ id: 'IgnoredValues' })
      .optional()
      .describe('cells that count as blank, so that the next column of the field is read; `*` at the end: any rest'),
    known_brands: z
      .boolean()
      .optional()
      .describe('whether a blank brand is looked for in the name, among the brands of the synonym groups'),
    duplicates: z
      .enum(['last', 'first', 'cheapest'])
      .optional()
      .describe('which of several rows with the same brand and article is imported; `last` unless given'),
  })
  .meta({ id: 'PriceListFormat' })

export type PriceListFormat = z.infer<typeof priceListFormat>

export const markupPercent = z.number().min(-100).max(10_000).optional()
export const deliveryDays = integer(0).nullable().optional()

const fields = {
  name: requiredText().meta({ example: 'North, daily' }),
  storage_id: identifier().meta({ example: 12 }),
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

export const priceListPatch = z.strictObject(fields).partial().meta({ id: 'PriceListPatch' })

const inSearch = z
  .boolean()
  .optional()
  .describe('true: adds the storage to `storages_for_crosses`; the setting stays as it is unless given')
const ownStorage = z.strictObject({ name: requiredText().meta({ example: 'Supplier North' }) })

/** Also beside violations of other fields, except that of a list with too many items. */
const isObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null

/** A new list in an existing storage, or with a storage of its own (admin.md#price-list-storage). */
export const newPriceList = z
  .strictObject({
    ...fields,
    storage_id: fields.storage_id.optional(),
    storage: ownStorage
      .optional()
      .describe('in place of `storage_id`: creates a storage of the kind price-list for the list')
      .meta({ id: 'NewListStorage' }),
    in_search: inSearch,
  })
  .refine(({ storage_id, storage }) => storage_id !== undefined || storage !== undefined, {
    path: ['storage_id'],
    params: { rule: 'required' },
    when: isObject,
  })
  .refine(({ storage_id, storage }) => storage_id === undefined || storage === undefined, {
    path: ['storage_id'],
    params: { rule: 'format', text: 'The storage_id must not be sent together with a storage.' },
    when: isObject,
  })
  .meta({ id: 'NewPriceList' })

/** The same between services: the storage has its id already, also one that is to be created. */
export const createdPriceList = z.strictObject({
  ...fields,
  storage: ownStorage.optional().describe('of a storage that is created under `storage_id`'),
  in_search: inSearch,
  caller: caller.optional().describe('who has the storage included in the search'),
})

/** A price list in the admin API. */
export const priceList = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: 'North, daily' }),
    storage_id: z.int().meta({ example: 12 }),
    is_active: z.boolean(),
    mode: z.enum(['replace', 'merge']),
    markup_percent: z.number().meta({ example: 15 }),
    min_rows_ratio: z.number().nullable().meta({ example: 0.5 }),
    delivery_days: z.int().nullable().meta({ example: 2 }),
    format: priceListFormat,
    sources: z.array(shownSource),
  })
  .meta({ id: 'PriceList' })

export type NewPriceList = z.infer<typeof createdPriceList>
export type PriceListPatch = z.infer<typeof priceListPatch>
export type PriceList = z.infer<typeof priceList>

/** A price list in a list of them, with its state. */
export const priceListRow = priceList
  .extend({
    live: z
      .object({ version: z.int(), rows: z.int(), since: z.iso.datetime() })
      .meta({ id: 'LiveVersion' })
      .nullable()
      .describe('the live version; null while there is none'),
    last_task: z
      .object({
        id: z.int(),
        status: z.enum(taskStatuses),
        completed_at: z.iso.datetime().nullable().meta({ example: null }),
        superseded: z.boolean(),
        error_code: z.string().nullable().meta({ example: null }),
      })
      .meta({ id: 'LatestImport' })
      .nullable()
      .describe('the newest import; null: there is none'),
    next_run_at: z.iso.datetime().nullable().describe('when a source is fetched next; null: none will be'),
  })
  .meta({ id: 'PriceListRow' })

/** The same from a service of version 0.1, which lacks fields. */
export const priceListRowReply = priceListRow.partial({ live: true, last_task: true, next_run_at: true })

export type PriceListRow = z.infer<typeof priceListRow>

/** The offer of one row, shown by a preview and stored by an import. */
export const offer = z
  .object({
    brand: z.string().meta({ example: 'BOSCH' }),
    article: z.string().meta({ example: '0 986 424 590' }),
    name: z.string().meta({ example: 'Колодки' }),
    quantity: z.int().meta({ example: 24 }),
    price: amount().nullable().meta({ example: 2140.5 }),
    delivery_days: z.int().nullable().meta({ example: 2 }),
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
  is_active: z.boolean().optional().describe('only those that are active, or only those that are not'),
  problem: z.boolean().optional().describe('`true`: only those whose last import, or a source, failed'),
})

/** Which rows of a list: by key, so that any spelling finds them. */
export const keyFilter = z.object({
  article: plainText(191).optional().describe('spelled in any way'),
  brand: plainText(191).optional().describe('spelled in any way'),
})
/** Which offers of a list. */
export const offerFilter = keyFilter.extend({
  price_from: amount().optional().describe('only those with this price or a higher one'),
  price_to: amount().optional().describe('only those with this price or a lower one'),
})
export const liveOffersQuery = pageRequest.extend(offerFilter.shape)

/** A page of live offers, with their version; null while there is none. */
export const liveOffers = pageOf(liveOffer)
  .extend({
    version: z.int().nullable(),
    version_number: z.int().nullable().describe('of the version within the list').meta({ example: 3 }),
  })
  .meta({ id: 'LiveOffers' })

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
    code: z.string().meta({ example: 'BAD_QUANTITY' }),
    message: z
      .string()
      .describe('in the locale of the setting `admin_locale`')
      .meta({ example: 'The quantity is not understood.' }),
    cells: z.array(z.string()).meta({ example: ['BOSCH', '0 986 424 590', 'Колодки', '?', '1 234,50'] }),
  })
  .meta({ id: 'SkippedRow' })

export type SkippedRow = z.infer<typeof skippedRow>

/** A row of a file as it was read. */
export const fileRow = z
  .object({
    row: z.int().describe('1-based, as in the file'),
    ...sheetRow,
    cells: z.array(z.string()).meta({ example: ['Бренд', 'Артикул', 'Остаток', 'Цена'] }),
  })
  .meta({ id: 'FileRow' })

/** A page of skipped rows, with the header of their file. */
export const skippedRows = pageOf(skippedRow)
  .extend({ header: fileRow.nullable().optional().describe('of the file; null: there is none, or it is not known') })
  .meta({ id: 'SkippedRows' })

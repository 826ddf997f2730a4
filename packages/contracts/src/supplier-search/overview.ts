import { z } from 'zod'
import { identifier, requiredText } from '../field.js'
import { statisticsPeriod } from '../administration/statistics-range.js'
import { command } from '../message.js'
import { supplier } from '../stock/storage.js'
import { brandEntry, brandsRequest, part, partsRequest, testStorage } from './commands.js'

const count = z.int()
const ms = z.int().nullable().describe('milliseconds; null: nothing was measured')
const kind = z.enum(['own-stock', 'price-list', 'http'])

/** The supplier of one storage over the last 15 minutes (admin.md#overview). */
export const supplierFigures = z
  .object({
    storage_id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Supplier North' }),
    kind,
    state: z
      .enum(['ok', 'slow', 'cut-off', 'failing', 'quiet'])
      .describe('`quiet`: not asked; `cut-off`: not asked for 30 s because it kept failing'),
    asked: count,
    failed: count,
    p95_ms: ms,
    last_error: z.string().nullable().meta({ example: 'the address is not public' }),
    last_ok_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SupplierFigures' })

export type SupplierFigures = z.infer<typeof supplierFigures>

export const getSearchOverview = command('supplier-search.overview.get', {
  request: z.object({}),
  reply: z.object({
    suppliers: z.array(
      supplierFigures.extend({ failing_since: z.iso.datetime().nullable().describe('null: the last answer was good') }),
    ),
  }),
})

/** The answers of one storage in one hour or day. */
export const supplierPoint = z
  .object({
    at: z.iso.datetime().describe('begin of the hour or of the day in UTC'),
    storage_id: z.int().meta({ example: 12 }),
    asked: count,
    ok: count,
    timeout: count,
    error: count,
    cut_off: count.describe('not asked, because it kept failing'),
    cached: count.describe('of those that were ok'),
    p50_ms: ms,
    p95_ms: ms,
  })
  .meta({ id: 'SupplierPoint' })

export type SupplierPoint = z.infer<typeof supplierPoint>

export const getSupplierStatistics = command('supplier-search.suppliers.statistics', {
  request: statisticsPeriod.extend({ storage_id: identifier().optional() }),
  reply: z.object({ points: z.array(supplierPoint) }),
})

/** The outcome of a query at one storage. */
export const supplierOutcome = z
  .object({
    storage_id: z.int().meta({ example: 12 }),
    storage_name: z.string().meta({ example: 'Supplier North' }),
    kind: kind.nullable().describe('null: its stored header values cannot be decrypted'),
    outcome: z.enum(['ok', 'timeout', 'error', 'cut-off']),
    ms: z.int().meta({ example: 184 }),
    rows: count.describe('that it answered, before they are merged'),
    from_cache: z.boolean(),
    error: z.string().nullable().describe('in words; also where it answered only a part').meta({ example: null }),
  })
  .meta({ id: 'SupplierOutcome' })

export type SupplierOutcome = z.infer<typeof supplierOutcome>

const explanation = {
  article_key: z.string().describe('the normalised article').meta({ example: 'OC1051' }),
  asked_by: z.enum(['storages_for_crosses', 'pick_up_points']),
  suppliers: z.array(supplierOutcome),
}

const namedStorage = z
  .object({
    storage_id: z.int().meta({ example: 12 }),
    storage_name: z.string().meta({ example: 'Supplier North' }),
  })
  .meta({ id: 'NamedStorage' })

/**
 * Which storages were asked, which were not although they hold the article (admin.md#search-unasked), and which have it
 * sold out (admin.md#search-sold-out).
 */
export const askedStorages = {
  asked: count.describe('storages that were asked'),
  of: z
    .int()
    .nullable()
    .describe('active storages in all; null: not known now, or `also_in` may lack some')
    .meta({ example: 23 }),
  also_in: z
    .array(namedStorage)
    .describe('own stock and price lists that hold it and were not asked, by id; other systems are not asked for this'),
  sold_out: z
    .array(namedStorage)
    .describe('active storages, asked or not, whose price lists have it with a quantity of 0 alone, by id')
    .meta({ example: [] }),
}
const sinceAsked = z.object(askedStorages).partial().shape

/** As `findBrands`, with what each storage did (admin.md#search-explain). */
export const explainBrands = command('supplier-search.brands.explain', {
  request: brandsRequest,
  reply: z.object({
    result: z.boolean(),
    message: z.string().meta({ example: 'OK' }),
    brands: z.array(brandEntry),
    ...explanation,
    ...sinceAsked,
  }),
})
/** As `findParts`, with what each storage did (admin.md#search-explain). */
export const explainParts = command('supplier-search.parts.explain', {
  request: partsRequest,
  reply: z.object({
    result: z.boolean(),
    message: z.string().meta({ example: 'OK' }),
    parts: z.array(part),
    ...explanation,
    ...sinceAsked,
  }),
})

/** As `testStorage`, for a supplier that is not saved yet; `"***"` stands for a stored value (admin.md#secrets). */
export const testSupplier = command('supplier-search.suppliers.test', {
  request: z
    .strictObject({ supplier, article: requiredText(), storage_id: identifier().optional() })
    .meta({ id: 'SupplierTest' }),
  reply: testStorage.reply,
})

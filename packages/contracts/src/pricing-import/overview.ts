import { z } from 'zod'
import { identifier } from '../field.js'
import { statisticsPeriod } from '../administration/statistics-range.js'
import { command } from '../message.js'
import { adminTaskReply } from './import-task.js'

const count = z.int()

/** Imports in figures (admin.md#overview). */
export const importFigures = z
  .object({
    pending: count,
    processing: count,
    oldest_pending_at: z.iso.datetime().nullable(),
    day: z
      .object({ completed: count, failed: count, rows: count, imported: count, skipped: count })
      .meta({ id: 'ImportDay' })
      .describe('imports that ended in the last 24 h'),
    last: z.array(adminTaskReply.meta({ id: 'RecentImport' })).describe('the 6 newest'),
  })
  .meta({ id: 'ImportFigures' })

const listName = { price_list_id: z.int(), price_list_name: z.string().meta({ example: 'North, daily' }) }

/** A source whose last run failed. */
export const failingSource = z
  .object({
    ...listName,
    source_id: z.int(),
    kind: z.enum(['url', 'ftp', 'email']),
    since: z.iso.datetime().describe('the first failed run since the last one that did not fail'),
    message: z.string().meta({ example: 'The server refused the password.' }),
  })
  .meta({ id: 'FailingSource' })

/** Sources in figures (admin.md#overview). */
export const sourceFigures = z
  .object({ active: count, failing: z.array(failingSource).describe('the first 100') })
  .meta({ id: 'SourceFigures' })

export type ImportFigures = z.infer<typeof importFigures>
export type SourceFigures = z.infer<typeof sourceFigures>
export type FailingSource = z.infer<typeof failingSource>

export const getPricingOverview = command('pricing-import.overview.get', {
  request: z.object({}),
  reply: z.object({
    imports: importFigures,
    sources: sourceFigures.extend({
      failing: z.array(failingSource.extend({ failures: count.describe('failed runs in a row') })),
    }),
    /** lists whose last import that ended failed, in the last 7 days; the first 100 */
    failed: z.array(z.object({ ...listName, task_id: z.int(), at: z.iso.datetime(), message: z.string().nullable() })),
    /** active lists with live offers */
    live: z.array(z.object({ id: z.int(), name: z.string(), storage_id: z.int() })).optional(),
    /** lists with a source whose password cannot be decrypted */
    unreadable: z.array(z.object({ id: z.int(), name: z.string() })),
    /** of the disk with the work folder; null: not known */
    disk: z.object({ free_bytes: z.int(), size_bytes: z.int() }).nullable(),
  }),
})

export const priceListReference = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: 'North, daily' }),
    storage_id: z.int().meta({ example: 12 }),
    is_active: z.boolean(),
    last_file_name: z.string().nullable().meta({ example: 'price.csv' }),
  })
  .meta({ id: 'PriceListReference' })

/** Names of all price lists, for pickers and labels (admin.md#names). */
export const getPriceListReferences = command('pricing-import.references.get', {
  request: z.object({}),
  reply: z.object({ price_lists: z.array(priceListReference) }),
})

/** Imports that ended in one hour or day. */
export const importPoint = z
  .object({
    at: z.iso.datetime().describe('begin of the hour or of the day in UTC'),
    completed: count,
    failed: count,
    superseded: count.describe('completed, but a newer file was live already'),
    rows: count,
    imported: count,
    skipped: count,
    seconds: z.number().describe('from the first attempt to the end, in total'),
  })
  .meta({ id: 'ImportPoint' })

export type ImportPoint = z.infer<typeof importPoint>

/** Counted from the tasks, which are kept for `retention_days`. */
export const getImportStatistics = command('pricing-import.imports.statistics', {
  request: statisticsPeriod.extend({ price_list_id: identifier().optional() }),
  reply: z.object({ points: z.array(importPoint) }),
})

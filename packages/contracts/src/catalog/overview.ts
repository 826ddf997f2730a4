import { z } from 'zod'
import { command } from '../message.js'

/** The catalog in figures (admin.md#overview). Counts are at most a minute old. */
export const catalogFigures = z
  .object({
    products: z.int().describe('that are not soft-deleted; an estimate'),
    deleted: z.int().describe('soft-deleted products'),
    categories: z.int(),
    pictures_pending: z.int(),
    pictures_failed: z.int(),
    last_batch_at: z.iso.datetime().nullable().describe('of the last ERP batch; at most 10 s behind'),
  })
  .meta({ id: 'CatalogFigures' })

export type CatalogFigures = z.infer<typeof catalogFigures>

export const getCatalogOverview = command('catalog.overview.get', {
  request: z.object({}),
  reply: catalogFigures.extend({
    /** of the failed downloads, when the first of them was given up or requested; null: there is none */
    pictures_failed_since: z.iso.datetime().nullable(),
  }),
})

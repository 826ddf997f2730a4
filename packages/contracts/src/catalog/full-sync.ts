import { z } from 'zod'
import { plainText } from '../field.js'
import { command } from '../message.js'

/** A load of everything, after which what was not sent is deactivated (erp.md#full-sync). */
export const fullSync = z
  .object({
    id: z.string(),
    status: z.enum(['open', 'completing', 'completed', 'cancelled']),
    started_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('an open one is cancelled then'),
    deactivated: z.object({ categories: z.int(), products: z.int() }).describe('0 until it is being completed'),
  })
  .meta({ id: 'FullSync' })

export type FullSync = z.infer<typeof fullSync>

/** Active items of one kind, and those of them that were not sent. */
const untouchedCount = z.object({ active: z.int(), not_sent: z.int() })
export const fullSyncCounts = z.object({ categories: untouchedCount, products: untouchedCount })
export type FullSyncCounts = z.infer<typeof fullSyncCounts>

export const fullSyncCompletion = z
  .object({
    max_deactivated_percent: z
      .number()
      .min(0)
      .max(100)
      .describe('of the active items of each kind; beyond it nothing is deactivated'),
  })
  .meta({ id: 'FullSyncCompletion' })

const one = z.object({ id: plainText(64) })

/** CONFLICT while another one is open. */
export const startFullSync = command('catalog.full-syncs.start', { request: z.object({}), reply: fullSync })
export const getFullSync = command('catalog.full-syncs.get', { request: one, reply: fullSync })
/** CONFLICT when more would be deactivated than the request allows. */
export const completeFullSync = command('catalog.full-syncs.complete', {
  request: one.extend(fullSyncCompletion.shape),
  reply: fullSync,
})
export const cancelFullSync = command('catalog.full-syncs.cancel', { request: one, reply: fullSync })

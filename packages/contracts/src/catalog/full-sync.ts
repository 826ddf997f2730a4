import { z } from 'zod'
import { integer, plainText } from '../field.js'
import { messageAnswer } from '../gateway/answer.js'
import { command } from '../message.js'

/** A load of everything, after which what was not sent is deactivated (erp.md#full-sync). */
export const fullSync = z
  .object({
    id: z.string().meta({ example: '692041c0a1f4b2c3d4e5f607' }),
    status: z.enum(['open', 'completing', 'completed', 'cancelled']),
    started_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('an open one is cancelled then'),
    deactivated: z
      .object({ categories: z.int(), products: z.int() })
      .meta({ id: 'FullSyncDeactivated' })
      .describe('0 until it is being completed'),
  })
  .meta({ id: 'FullSync' })

export type FullSync = z.infer<typeof fullSync>

/** The most ids in one page of what a sync has not sent (erp.md#full-sync-7). */
export const MAX_NOT_SENT = 1_000

export const notSentQuery = z.object({
  kind: z.enum(['categories', 'products']).describe('Which items to list.'),
  after: integer(0).optional().describe('The `next_after` of the page before.'),
})

/** What a completion would deactivate. */
export const notSentPage = z
  .object({
    ids_erp: z
      .array(z.string())
      .describe('at most 1,000, in the order of their creation')
      .meta({ example: ['P/0007'] }),
    next_after: z
      .int()
      .nullable()
      .describe('the `after` of the next page; null: this is the last one')
      .meta({ example: null }),
  })
  .meta({ id: 'FullSyncNotSent' })

export type NotSentPage = z.infer<typeof notSentPage>

/** Active items of one kind, and those of them that were not sent. */
const untouchedCount = z.object({ active: z.int(), not_sent: z.int() }).meta({ id: 'FullSyncCount' })
export const fullSyncCounts = z
  .object({ categories: untouchedCount, products: untouchedCount })
  .meta({ id: 'FullSyncCounts' })
export type FullSyncCounts = z.infer<typeof fullSyncCounts>

/** 409 of a start. */
export const fullSyncInProgress = messageAnswer.extend({ full_sync: fullSync }).meta({ id: 'FullSyncInProgress' })
/** 409 of a completion. */
export const fullSyncRefusal = messageAnswer
  .extend({ counts: fullSyncCounts.optional() })
  .meta({ id: 'FullSyncRefusal' })

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
/** CONFLICT when it is not open. */
export const listNotSent = command('catalog.full-syncs.not-sent', {
  request: one.extend(notSentQuery.shape),
  reply: notSentPage,
})
/** CONFLICT when more would be deactivated than the request allows. */
export const completeFullSync = command('catalog.full-syncs.complete', {
  request: one.extend(fullSyncCompletion.shape),
  reply: fullSync,
})
export const cancelFullSync = command('catalog.full-syncs.cancel', { request: one, reply: fullSync })

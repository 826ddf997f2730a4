import { z } from 'zod'
import { apiPoint, overview, references } from './overview.js'
import { erpBatch } from './erp-batch.js'
import { statisticsPeriod } from './statistics-range.js'
import { command, domainEvent } from '../message.js'

const done = z.object({})
/** Numbers by name. */
const counts = z.looseObject({})

/** Adds batches that a gateway answered to the list (erp.md#batch-list). An id that is stored already is left out. */
export const addErpBatches = command('administration.erp-batches.add', {
  request: z.object({ batches: z.array(erpBatch.extend({ id: z.string(), counts: counts.nullable() })).max(1_000) }),
  reply: done,
})

export const listErpBatches = command('administration.erp-batches.list', {
  request: z.object({}),
  reply: z.object({ batches: z.array(erpBatch) }),
})

/** Adds the requests that a gateway counted (admin.md#statistics). */
export const addApiStatistics = command('administration.api-statistics.add', {
  request: z.object({
    tallies: z.array(z.object({ subject: z.enum(['erp', 'b2b']), counts, ms: counts.describe('durations by class') })),
    last_calls: z
      .object({ erp: z.iso.datetime(), b2b: z.iso.datetime() })
      .partial()
      .describe('moments of the last requests with a valid token'),
  }),
  reply: done,
})

export const listApiStatistics = command('administration.api-statistics.list', {
  request: statisticsPeriod,
  reply: z.object({ points: z.array(apiPoint) }),
})

/** `GET /overview` (admin.md#overview), as of the settings of the call. */
export const getOverview = command('administration.overview.get', { request: z.object({}), reply: overview })

/** `GET /references` (admin.md#names). */
export const listReferences = command('administration.references.list', { request: z.object({}), reply: references })

/**
 * The lock of deletions of storages, and of changes that name a storage in another service: a price list cannot be
 * created while its storage, which nothing referred to a moment ago, is being deleted.
 */
const lock = { owner: z.string() }
const timedLock = { ...lock, lease_ms: z.int().positive().max(60_000) }
const held = z.object({ is_held: z.boolean().describe('false: another one has it') })

export const acquireStorageLock = command('administration.storage-lock.acquire', {
  request: z.object(timedLock),
  reply: held,
})

export const renewStorageLock = command('administration.storage-lock.renew', {
  request: z.object(timedLock),
  reply: held,
})

export const releaseStorageLock = command('administration.storage-lock.release', {
  request: z.object(lock),
  reply: done,
})

/**
 * The outcome of an attempt to sign in, published to the other processes of the service, which count it like their own
 * (admin.md#throttling). Core NATS: a lost message is one attempt more.
 */
export const signInCounted = domainEvent(
  'administration.attempts.counted',
  z.object({
    process: z.string(),
    address: z.string().max(64).describe('of the client; the first 64 bits of IPv6'),
    name: z.string().max(64).nullable().describe('digest of the name'),
    outcome: z.enum(['started', 'failed', 'succeeded', 'recorded']),
  }),
)
export type SignInCounted = z.infer<typeof signInCounted.payload>

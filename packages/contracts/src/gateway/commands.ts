import { z } from 'zod'
import { domainEvent } from '../message.js'

/**
 * Published to all gateways when the settings were written (core NATS). Each reads them and replies with its id.
 * The change is answered when all have replied, or when the copies of those that have not are expired.
 */
export const settingsChanged = domainEvent('gateway.settings.changed', z.object({ rev: z.int() }))

/**
 * Requests that a gateway counted for a token, published to the other gateways, which add them to their own
 * (rules.md#rate-limit). Core NATS: a report that is lost is replaced by the next one.
 */
export const requestsCounted = domainEvent(
  'gateway.requests.counted',
  z.object({
    audience: z.enum(['erp', 'b2b']),
    gateway: z.string(),
    token: z.string().describe('beginning of the digest of the token'),
    counts: z.array(z.int().nonnegative()).max(61).describe('requests by age in seconds'),
  }),
)

/** Published to all gateways when a session, a role or an administrator is no longer what caches may say. */
export const administratorsChanged = domainEvent('gateway.administrators.changed', z.object({}))

/**
 * A wrong bearer token, published to the other gateways, which count it like their own (admin.md#throttling). Core
 * NATS: a lost message is one attempt more. A gateway of version 0.1 publishes the outcomes of sign-ins as well.
 */
export const attemptCounted = domainEvent(
  'gateway.attempts.counted',
  z.object({
    gateway: z.string(),
    address: z.string().max(64).describe('of the client; the first 64 bits of IPv6'),
    name: z.string().max(64).nullable().describe('digest of the name'),
    outcome: z.enum(['started', 'failed', 'succeeded', 'recorded']),
  }),
)
export type AttemptCounted = z.infer<typeof attemptCounted.payload>

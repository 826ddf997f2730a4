import { z } from 'zod'
import { auditEntry, auditRequest } from './settings.js'
import { command } from '../message.js'
import { pageOf } from '../paging.js'
import { caller } from './caller.js'

const details = z.record(z.string(), z.unknown())
const entityId = z.union([z.number(), z.string()])

/** A new entry. Its change is not made yet (admin.md#audit). */
const begunEntry = z.object({
  caller,
  action: z.string().describe('`<noun>.<verb>`'),
  entity: z.string().describe('the kind of resource that is changed'),
  entity_id: entityId.nullable().describe('null: not known yet'),
  details,
})
export type BegunEntry = z.infer<typeof begunEntry>

/** Writes the entry of a change before the change is made. */
export const beginAuditEntry = command('administration.audit.begin', {
  request: begunEntry,
  reply: z.object({ id: z.string() }),
})

/** The change was made. */
export const completeAuditEntry = command('administration.audit.complete', {
  request: z.object({
    id: z.string(),
    details,
    entity_id: entityId.optional().describe('of a resource that the change created; absent: it was known before'),
  }),
  reply: z.object({}),
})

/** The change was refused. */
export const deleteAuditEntry = command('administration.audit.delete', {
  request: z.object({ id: z.string() }),
  reply: z.object({}),
})

export const listAudit = command('administration.audit.list', { request: auditRequest, reply: pageOf(auditEntry) })

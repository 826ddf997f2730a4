import { beginAuditEntry, completeAuditEntry, deleteAuditEntry } from '@partsbus/contracts/administration/audit'
import { type AuditLog, type Change, recordChange as record } from '@partsbus/contracts/administration/record-change'
import type { AdminContext } from '../admin-context.js'

/**
 * Makes a change of a service and records it in the audit log (admin.md#audit).
 * @throws AppError UNAVAILABLE while entries cannot be written, or the error of the change
 */
export function recordChange<Result>(
  { calls, caller, log }: Pick<AdminContext, 'calls' | 'caller' | 'log'>,
  change: Change<Result>,
): Promise<Result> {
  return record({ audit: auditLog(calls), caller, log }, change)
}

function auditLog(calls: AdminContext['calls']): AuditLog {
  return {
    begin: async (entry) => (await calls.request(beginAuditEntry, entry)).id,
    complete: (id, details, entityId) =>
      calls.request(completeAuditEntry, { id, details, ...(entityId !== undefined && { entity_id: entityId }) }),
    delete: (id) => calls.request(deleteAuditEntry, { id }),
  }
}

import type { AuditEntry, AuditRequest } from '@partsbus/contracts/gateway/settings'
import type { Page } from '@partsbus/contracts/paging'
import type { AdminContext } from '../admin-context.js'

/** `GET /audit`: newest first. @throws AppError UNAVAILABLE at once while the database is down */
export async function listAudit(
  ctx: Pick<AdminContext, 'audit' | 'mongo'>,
  request: AuditRequest,
): Promise<Page<AuditEntry>> {
  const unavailable = ctx.mongo.unavailable()
  if (unavailable) throw unavailable
  return ctx.audit.list(request)
}

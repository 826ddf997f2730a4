import { type Page, pageRequest } from '@partsbus/contracts/paging'
import type { AuditEntry } from '@partsbus/contracts/gateway/settings'
import type { AdminContext } from '../admin-context.js'
import { check, readQuery } from '../resources/read-request.js'

/** `GET /audit`: newest first. @throws AppError UNAVAILABLE at once while the database is down */
export async function listAudit(
  ctx: Pick<AdminContext, 'audit' | 'mongo'>,
  query: Record<string, unknown>,
): Promise<Page<AuditEntry>> {
  const request = check(pageRequest, readQuery(query, { page: 'integer', per_page: 'integer' }))
  const unavailable = ctx.mongo.unavailable()
  if (unavailable) throw unavailable
  return ctx.audit.list(request)
}

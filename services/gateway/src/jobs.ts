import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { Log } from '@partsbus/platform/process/log'
import type { Accounts } from './admin/administrators/accounts.js'
import type { AuditStore } from './admin/audit/audit-store.js'
import type { ErpBatchStore } from './erp/erp-batch-store.js'
import type { SettingsCache } from './settings/settings-cache.js'

const FIRST_MS = 5_000
const RETRY_MS = 60_000
const EVERY_MS = 3_600_000

interface JobContext {
  audit: AuditStore
  accounts: Pick<Accounts, 'administrators' | 'sessions'>
  batches: Pick<ErpBatchStore, 'ensureIndexes'>
  settings: Pick<SettingsCache, 'current'>
  log: Log
}

/**
 * The work that the gateway repeats in the background: creating its indexes, and deleting ended sessions and audit
 * entries older than `audit_retention_days` (rules.md#retention). Every gateway does it; the second one finds nothing
 * to delete.
 */
export function startJobs(ctx: JobContext): Repetition {
  return repeat(() => cleanUp(ctx), {
    firstMs: FIRST_MS,
    everyMs: EVERY_MS,
    failed: (error) => {
      if (toAppError(error).code === 'UNAVAILABLE') return RETRY_MS
      ctx.log.error({ err: error }, 'cleanup failed')
      return EVERY_MS
    },
  })
}

async function cleanUp({ audit, accounts, batches, settings, log }: JobContext): Promise<void> {
  await audit.ensureIndexes()
  await accounts.administrators.prepare()
  await accounts.sessions.ensureIndexes()
  await batches.ensureIndexes()
  await accounts.sessions.deleteEnded()
  const deleted = await audit.deleteOlderThan(settings.current().values.audit_retention_days)
  if (deleted > 0) log.info({ deleted }, 'old audit entries deleted')
}

import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { Log } from '@partsbus/platform/process/log'
import type { AuditStore } from './admin/audit/audit-store.js'
import type { SettingsCache } from './settings/settings-cache.js'

const FIRST_MS = 5_000
const RETRY_MS = 60_000
const EVERY_MS = 3_600_000

/**
 * The work that the gateway repeats in the background: deleting audit entries older than `audit_retention_days`
 * (rules.md#retention). Every gateway does it; the second one finds nothing to delete.
 */
export function startJobs(ctx: { audit: AuditStore; settings: Pick<SettingsCache, 'current'>; log: Log }): {
  stop: () => void
} {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const schedule = (ms: number): void => {
    if (!stopped) timer = setTimeout(() => void deleteOldAuditEntries(ctx).then(schedule), ms).unref()
  }
  schedule(FIRST_MS)
  return {
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** @returns ms until the next time */
async function deleteOldAuditEntries({ audit, settings, log }: Parameters<typeof startJobs>[0]): Promise<number> {
  try {
    await audit.ensureIndexes()
    const deleted = await audit.deleteOlderThan(settings.current().values.audit_retention_days)
    if (deleted > 0) log.info({ deleted }, 'old audit entries deleted')
    return EVERY_MS
  } catch (error) {
    if (toAppError(error).code === 'UNAVAILABLE') return RETRY_MS
    log.error({ err: error }, 'audit cleanup failed')
    return EVERY_MS
  }
}

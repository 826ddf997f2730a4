import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { Log } from '@partsbus/platform/process/log'
import type { FastifyInstance } from 'fastify'
import type { SettingsCache } from '../../settings/settings-cache.js'
import type { AuditStore } from './audit-store.js'

const FIRST_MS = 5_000
const AGAIN_MS = 60_000
const EVERY_MS = 3_600_000

/**
 * Removes what the setting `audit_retention_days` no longer keeps, soon after the start and every hour; with several
 * gateways each does, and finds nothing left. While the database is away it tries again every minute.
 */
export function startAuditRetention(
  app: FastifyInstance,
  ctx: { audit: AuditStore; settings: Pick<SettingsCache, 'current'>; log: Log },
): void {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const sweep = async (): Promise<number> => {
    try {
      await ctx.audit.prepare()
      const removed = await ctx.audit.sweep(ctx.settings.current().values.audit_retention_days)
      if (removed > 0) ctx.log.info({ removed }, 'old audit entries removed')
      return EVERY_MS
    } catch (error) {
      if (toAppError(error).code === 'UNAVAILABLE') return AGAIN_MS
      if (!stopped) ctx.log.error({ err: error }, 'old audit entries could not be removed')
      return EVERY_MS
    }
  }
  const sweepIn = (ms: number): void => {
    if (stopped) return
    timer = setTimeout(() => void sweep().then(sweepIn), ms).unref()
  }
  app.addHook('onReady', (done) => {
    sweepIn(FIRST_MS)
    done()
  })
  app.addHook('onClose', (_app, done) => {
    stopped = true
    clearTimeout(timer)
    done()
  })
}

import { toAppError } from '@partsbus/platform/failure'
import type { Log } from '@partsbus/platform/log'
import type { FastifyInstance } from 'fastify'
import type { SettingsHolder } from '../settings/settings-holder.js'
import type { AuditStore } from './audit-store.js'

const HOUR_MS = 3_600_000

/**
 * Removes what the setting `audit_retention_days` no longer keeps, at the start and every hour; with several
 * gateways each does, and finds nothing left. What fails is tried again an hour later, or in a minute while the
 * database is away.
 */
export function keepAuditShort(app: FastifyInstance, ctx: { audit: AuditStore; settings: Pick<SettingsHolder, 'current'>; log: Log }): void {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let stopped = false
  const sweep = async (): Promise<void> => {
    let next = HOUR_MS
    try {
      await ctx.audit.prepare()
      const removed = await ctx.audit.sweep(ctx.settings.current().values.audit_retention_days)
      if (removed > 0) ctx.log.info({ removed }, 'old audit entries removed')
    } catch (error) {
      if (toAppError(error).code === 'UNAVAILABLE') next = 60_000
      else ctx.log.error({ err: error }, 'old audit entries could not be removed')
    }
    if (!stopped) timer = setTimeout(() => { sweeping = sweep() }, next).unref()
  }
  app.addHook('onReady', (done) => {
    sweeping = sweep()
    done()
  })
  app.addHook('onClose', async () => {
    stopped = true
    clearTimeout(timer)
    await sweeping
  })
}

import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { AuditStore } from './audit/audit-store.js'
import { SessionStore } from './sessions/session-store.js'
import { SettingsStore } from './settings/settings-store.js'

const FIRST_MS = 5_000
const RETRY_MS = 60_000
const EVERY_MS = 3_600_000

/**
 * The work that the service repeats in the background: deleting ended sessions and audit entries older than
 * `audit_retention_days` (rules.md#retention). Every process does it; the second one finds nothing to delete.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private cleanUps: Repetition | undefined

  constructor(
    private readonly audit: AuditStore,
    private readonly sessions: SessionStore,
    private readonly settings: SettingsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.cleanUps = repeat(() => this.cleanUp(), {
      firstMs: FIRST_MS,
      everyMs: EVERY_MS,
      failed: (error) => {
        if (toAppError(error).code === 'UNAVAILABLE') return RETRY_MS
        this.log.error({ err: error }, 'cleanup failed')
        return EVERY_MS
      },
    })
  }

  async onModuleDestroy(): Promise<void> {
    await this.cleanUps?.stop()
  }

  private async cleanUp(): Promise<void> {
    await this.sessions.deleteEnded()
    const { audit_retention_days: days } = (await this.settings.read()).values
    const deleted = await this.audit.deleteOlderThan(days)
    if (deleted > 0) this.log.info({ deleted }, 'old audit entries deleted')
  }
}

import { Module } from '@nestjs/common'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { AdministratorStore } from './administrators/administrator-store.js'
import { Administrators } from './administrators/administrators.js'
import { AttemptLimit } from './administrators/attempt-limit.js'
import { PasswordQueue } from './administrators/password-queue.js'
import { openAttemptLimit } from './administrators/open-attempt-limit.js'
import { Audit } from './audit/audit.js'
import { AuditStore } from './audit/audit-store.js'
import { Changes } from './audit/changes.js'
import { ErpBatchStore } from './erp-batches/erp-batch-store.js'
import { ErpBatches } from './erp-batches/erp-batches.js'
import { Jobs } from './jobs.js'
import { LatestBackupStore } from './latest-backup-store.js'
import { Overview } from './overview/overview.js'
import { References } from './overview/references.js'
import { OwnAccount } from './sessions/own-account.js'
import { SessionAnnouncer } from './sessions/session-announcer.js'
import { SessionStore } from './sessions/session-store.js'
import { Sessions } from './sessions/sessions.js'
import { SignIn } from './sessions/sign-in.js'
import { ApiTokens } from './settings/api-tokens.js'
import { AssertUnused } from './settings/assert-unused.js'
import { ChangeSettings } from './settings/change-settings.js'
import { CheckSettings } from './settings/check-settings.js'
import { GatewayStore } from './settings/gateway-store.js'
import { ReadSettings } from './settings/read-settings.js'
import { SearchStorages } from './settings/search-storages.js'
import { SettingsBroadcast } from './settings/settings-broadcast.js'
import { SettingsStore } from './settings/settings-store.js'
import { SettingsWriter } from './settings/settings-writer.js'
import { ApiStatisticsStore } from './statistics/api-statistics-store.js'
import { ApiStatistics } from './statistics/api-statistics.js'
import { StorageLock } from './storage-lock.js'

@Module({
  controllers: [
    ReadSettings,
    ChangeSettings,
    SearchStorages,
    AssertUnused,
    ApiTokens,
    Administrators,
    Sessions,
    SignIn,
    OwnAccount,
    Audit,
    ErpBatches,
    ApiStatistics,
    Overview,
    References,
    StorageLock,
  ],
  providers: [
    ...[SettingsStore, GatewayStore, SettingsBroadcast, SettingsWriter, CheckSettings],
    ...[AdministratorStore, SessionStore, SessionAnnouncer, PasswordQueue],
    { provide: AttemptLimit, inject: [BUS], useFactory: (bus: BusConnection) => openAttemptLimit(bus) },
    ...[AuditStore, Changes, ErpBatchStore, ApiStatisticsStore, LatestBackupStore],
    Jobs,
  ],
})
export class AdministrationModule {}

import { GATEWAY_LIFETIME_MS } from '@partsbus/contracts/administration/settings-commands'
import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'

/** What a backup has to know of the database of this service. */
export const backupPlan: BackupPlan = {
  filled: ['administrators'],
  counters: [['administrators', 'administrators', '_id']],
  transient: ['gateways', 'sessions'],
  changing: ['settings', 'door_statistics'],
  guests: [{ service: 'gateway', collection: 'gateways', lifetimeMs: GATEWAY_LIFETIME_MS }],
  // both APIs are closed and have no token: what was revoked after the backup would be valid again
  afterRestore: [
    {
      collection: 'settings',
      filter: { _id: 'settings' },
      update: {
        $set: {
          'values.erp_enabled': false,
          'values.b2b_enabled': false,
          // of a backup that paused writes
          'values.maintenance': null,
          'tokens.erp': null,
          'tokens.b2b': null,
        },
        $inc: { rev: 1 },
      },
    },
  ],
}

import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'

/** What a backup has to know of the database of this service. */
export const backupPlan: BackupPlan = {
  filled: ['supplies', 'storages', 'pick_up_points'],
  counters: [
    ['supplies', 'supplies', 'id'],
    ['storages', 'storages', '_id'],
    ['pick_up_points', 'pick_up_points', '_id'],
  ],
  foreignIds: [{ service: 'catalog', counter: 'product', collection: 'supplies', field: 'product_id' }],
  copiedLast: ['supplies', 'pick_up_points', 'storages'],
}

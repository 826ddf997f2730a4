import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'

/** What a backup has to know of the database of this service. */
export const backupPlan: BackupPlan = {
  filled: ['brand_synonyms'],
  counters: [['brand_synonyms', 'brand_synonyms', '_id']],
  changing: ['supplier_states', 'supplier_statistics'],
}

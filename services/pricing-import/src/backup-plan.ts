import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'

/** What a backup has to know of the database of this service. */
export const backupPlan: BackupPlan = {
  filled: ['price_lists', 'offers', 'import_tasks', 'files'],
  counters: [
    ['import_tasks', 'import_tasks', '_id'],
    ['price_lists', 'price_lists', '_id'],
    ['files', 'files', '_id'],
  ],
  copiedLast: [
    'price_lists',
    'skipped_rows',
    'import_tasks',
    'offers',
    'files',
    'price_files.files',
    'price_files.chunks',
  ],
}

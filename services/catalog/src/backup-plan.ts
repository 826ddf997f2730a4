import type { BackupPlan } from '@partsbus/platform/backup/backup-plan'
import { COUNTER } from './products/product-ids.js'

/** What a backup has to know of the database of this service. */
export const backupPlan: BackupPlan = {
  filled: ['products', 'categories', 'media'],
  counters: [
    [COUNTER, 'products', 'id'],
    ['category', 'categories', 'id'],
    ['media', 'media', '_id'],
  ],
  copiedLast: ['media_sets', 'products', 'categories', 'media_sources', 'media', 'media.files', 'media.chunks'],
}

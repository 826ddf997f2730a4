import type { Diagnosis } from '@partsbus/platform/diagnosis/make-checks'
import { backupPlan } from './backup-plan.js'
import { type SupplierSearchConfig, supplierSearchConfig } from './config.js'

/** What is examined in the database of this service. */
export const diagnosis: Diagnosis<SupplierSearchConfig> = {
  config: supplierSearchConfig,
  indexes: { brand_synonyms: ['keys_unique'] },
  counters: backupPlan.counters,
  checks: () => ({}),
}

import { adminOperations } from './admin-operations.js'
import { b2bOperations } from './b2b-operations.js'
import { erpOperations } from './erp-operations.js'
import { erpStatusOperations } from './erp-status-operations.js'
import { erpSyncOperations } from './erp-sync-operations.js'
import { mediaOperations } from './media-operations.js'
import type { Operation } from './operation.js'

/** Every endpoint of the gateway. A test compares them with the registered routes. */
export const operations: readonly Operation[] = [
  ...erpOperations,
  ...erpStatusOperations,
  ...erpSyncOperations,
  ...b2bOperations,
  ...adminOperations,
  ...mediaOperations,
]

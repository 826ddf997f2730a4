import { getStorage } from '@partsbus/contracts/stock/commands'
import { contractViolation } from '@partsbus/contracts/violation'
import type { BusClient } from '@partsbus/platform/bus/client'
import { ifFound } from '@partsbus/platform/bus/if-found'

/** @throws AppError CONTRACT_VIOLATION on `storage_id` when its owner does not know it */
export async function requireStorage(calls: BusClient, id: number): Promise<void> {
  if (!(await ifFound(calls.request(getStorage, { id }))))
    throw contractViolation({ storage_id: ['The selected storage_id is invalid.'] }, 'exists')
}

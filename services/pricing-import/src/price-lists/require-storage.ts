import { AppError } from '@partsbus/contracts/errors'
import { getStorage } from '@partsbus/contracts/stock/commands'
import { contractViolation } from '@partsbus/contracts/violation'
import type { BusClient } from '@partsbus/platform/bus/client'

/** @throws AppError CONTRACT_VIOLATION on `storage_id` when its owner does not know it */
export async function requireStorage(calls: BusClient, id: number): Promise<void> {
  try {
    await calls.request(getStorage, { id })
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw contractViolation({ storage_id: ['The selected storage_id is invalid.'] }, 'exists')
    throw error
  }
}

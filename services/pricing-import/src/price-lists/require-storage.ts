import { AppError } from '@partsbus/contracts/errors'
import { getStorage } from '@partsbus/contracts/stock'
import { contractViolation } from '@partsbus/contracts/violation'
import type { BusClient } from '@partsbus/platform/bus/client'

/** Asks the owner of storages whether there is one. @throws AppError CONTRACT_VIOLATION on `storage_id` when there is none */
export async function requireStorage(calls: BusClient, id: number): Promise<void> {
  try {
    await calls.request(getStorage, { id })
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      throw contractViolation({ storage_id: ['The selected storage_id is invalid.'] })
    throw error
  }
}

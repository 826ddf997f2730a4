import { AppError } from '@partsbus/contracts/errors'
import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { Storage } from '@partsbus/contracts/storage'
import { showSupplier, type SupplierRecord } from './supplier-record.js'

/** A storage with its supplier as it is at rest. */
export interface StoredStorage extends Omit<Storage, 'supplier'> {
  supplier: SupplierRecord
}

/** A storage as the admin API answers it. */
export function showStorage(storage: StoredStorage): Storage {
  return { ...storage, supplier: showSupplier(storage.supplier) }
}

/** A storage cannot go while a point delivers from it or supplies stand in it; the text names them. */
export function storageInUse(
  id: number,
  by: { point?: { first: PickUpPoint; count: number } | undefined; supplies: number },
): AppError {
  return new AppError('CONFLICT', `Storage ${id} is used by ${by.point ? nameOf(by.point) : countOf(by.supplies)}.`)
}

function nameOf({ first, count }: { first: PickUpPoint; count: number }): string {
  return `pick-up point ${first.id} "${first.name}"${count > 1 ? ` and ${count - 1} more` : ''}`
}

function countOf(supplies: number): string {
  return supplies === 1 ? '1 supply' : `${supplies} supplies`
}

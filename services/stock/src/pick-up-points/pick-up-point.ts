import type {
  NewPickUpPoint,
  OfferedPickUpPoint,
  PickUpPoint,
  PickUpPointPatch,
} from '@partsbus/contracts/pick-up-point'
import { AppError } from '@partsbus/contracts/errors'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'

/** What a point is when only its name is given (admin.md#pick-up-points). */
export function newPoint(given: NewPickUpPoint): Omit<PickUpPoint, 'id'> {
  return {
    country: null,
    region: null,
    city: null,
    address: '',
    phone: '',
    email: '',
    description: '',
    schedule: '',
    is_active: true,
    storage_ids: [],
    ...changedFields(given),
  }
}

/** The fields that were sent; each storage once, in the order sent. */
export function changedFields<Given extends NewPickUpPoint | PickUpPointPatch>(given: Given): Given {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given
  return fields.storage_ids ? { ...fields, storage_ids: [...new Set(fields.storage_ids)] } : fields
}

/** @throws AppError CONTRACT_VIOLATION on `storage_ids.N` for each storage that is not there */
export function requireStorages(storageIds: readonly number[], existing: ReadonlySet<number>): void {
  const violations: Violations = {}
  for (const [at, id] of storageIds.entries()) {
    if (!existing.has(id)) violations[`storage_ids.${at}`] = [`The selected storage_ids.${at} is invalid.`]
  }
  if (Object.keys(violations).length > 0) throw contractViolation(violations)
}

/** A point cannot go while supplies stand in it. */
export function pointInUse(id: number, supplies: number): AppError {
  return new AppError(
    'CONFLICT',
    `Pick-up point ${id} is used by ${supplies === 1 ? '1 supply' : `${supplies} supplies`}.`,
  )
}

/** A point as partners see it (partners.md#pick-up-point). */
export function offerPoint(point: PickUpPoint): OfferedPickUpPoint {
  const { id, name, country, region, city, address, phone, email, description, schedule } = point
  return { id, caption: name, country, region, city, address, phone, email, description, timetable: schedule }
}

import type { PriceListRecord } from './price-list-record.js'

/*
 * One document per list. Its lease lets one import of the list run at a time: free (`lease_until` passed) → held →
 * renewed … → released, or expired. All dates are compared with the database's clock.
 *
 * Deletion: visible → hidden (`deleted`) → `deleting`, once no import of the list is open → gone. A hidden list whose
 * process died before it decided is decided again by the clean-up.
 *
 * Creation with a storage, or with a place in the search: hidden, with its `creation` → visible, once all of it is
 * made. From hidden it may go the way of a deletion instead, which takes back what was made.
 */
export interface PriceListDocument extends Omit<PriceListRecord, 'id' | 'revision'> {
  _id: number
  /** absent in lists that were written before it was introduced */
  revision?: number
  deleted: boolean
  /** its data is being deleted; there is no way back */
  deleting?: boolean
  hidden_at?: Date
  lease_owner: string
  lease_until: Date
  /** when an import of it was last begun, so that lists take turns */
  lease_taken: Date
}

export function toRecord({
  _id,
  deleted: _deleted,
  deleting: _deleting,
  hidden_at: _hiddenAt,
  lease_owner: _owner,
  lease_until: _until,
  lease_taken: _taken,
  ...record
}: PriceListDocument): PriceListRecord {
  return { id: _id, revision: 0, ...record }
}

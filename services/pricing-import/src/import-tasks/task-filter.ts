import type { ImportTaskRecord } from './import-task-record.js'

/** Which tasks are listed. */
export interface TaskFilter {
  price_list_id?: number | undefined
  statuses?: ReadonlyArray<ImportTaskRecord['status']> | undefined
  source_type?: ImportTaskRecord['source_type'] | undefined
  /** created at or after this time */
  from?: Date | undefined
  /** created before this time */
  to?: Date | undefined
}

/** The same as a filter of the collection. */
export function filterFor({ price_list_id, statuses, source_type, from, to }: TaskFilter) {
  return {
    ...(price_list_id !== undefined && { price_list_id }),
    ...(statuses && { status: { $in: [...statuses] } }),
    ...(source_type !== undefined && { source_type }),
    ...((from ?? to) && { created_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
  }
}

import type { AdminRow } from '@partsbus/contracts/http/row'

/**
 * Details that only the reply contains: the id of a new resource, the task that was started, the versions of a
 * rollback, how many downloads are tried again.
 */
export function auditResult({ status, created }: AdminRow, result: unknown): Record<string, unknown> {
  const { id, task_id, retried, versions, replaced } = (result ?? {}) as {
    id?: unknown
    task_id?: unknown
    retried?: unknown
    versions?: Array<{ version: number; is_active: boolean }>
    replaced?: number | null
  }
  if (created !== undefined) return { [created]: id }
  if (status === 201) return { id }
  if (replaced !== undefined) return { version: versions?.find(({ is_active }) => is_active)?.version, replaced }
  if (retried !== undefined) return { retried }
  return task_id === undefined ? {} : { task_id }
}

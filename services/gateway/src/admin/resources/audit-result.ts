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
    versions?: Array<{ version: number; number?: number; is_active: boolean }>
    replaced?: number | null
  }
  if (created !== undefined) return { [created]: id }
  if (status === 201) return { id }
  if (replaced !== undefined) {
    const live = versions?.find(({ is_active }) => is_active)
    const before = versions?.find(({ version }) => version === replaced)
    return {
      version: live?.version,
      replaced,
      ...(live?.number !== undefined && { number: { from: before?.number ?? null, to: live.number } }),
    }
  }
  if (retried !== undefined) return { retried }
  return task_id === undefined ? {} : { task_id }
}

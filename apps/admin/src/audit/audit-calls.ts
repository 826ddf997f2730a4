import type { AnswerOf } from '@partsbus/contracts/admin/operations'
import { useCall } from '../calls/use-call.js'

export type AuditEntry = AnswerOf<'GET /audit'>['data'][number]

export const PER_PAGE = 100

export interface AuditFilter {
  actor: string
  action: string
  entity: string
  entity_id: string
  request_id: string
  from: string | undefined
  to: string | undefined
  page: number
}

/** @param filter `from` and `to` are instants */
export function useAudit({ page, ...filter }: AuditFilter) {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '' && value !== undefined))
  return useCall('GET /audit', { query: { ...given, page, per_page: PER_PAGE } })
}

import type { AnswerOf } from '@partsbus/contracts/http/admin'

export type AuditEntry = AnswerOf<'GET /audit'>['data'][number]

export const PER_PAGE = 100

import type { AnswerOf } from '@partsbus/contracts/http/admin'

export type Person = AnswerOf<'GET /administrators/:id'>

/** An invitation that is shown once. */
export type Invited = AnswerOf<'POST /administrators/:id/invitation'> & { name: string }

export const PER_PAGE = 100

export const stalePeople = ['GET /administrators', 'GET /references'] as const

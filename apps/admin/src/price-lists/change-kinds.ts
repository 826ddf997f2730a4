import type { AnswerOf } from '@partsbus/contracts/http/admin'

export type Changes = AnswerOf<'GET /price-lists/:id/changes'>
export type Change = Changes['data'][number]

// apart from the contract, which would be loaded with the first page
export const changeKinds = [
  ...(['added', 'gone', 'dearer', 'cheaper'] as const),
  ...(['price_added', 'price_gone', 'other'] as const),
] as const satisfies readonly Change['kind'][]

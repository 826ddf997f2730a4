import type { AnswerOf } from '@partsbus/contracts/http/admin'

type Supplier = Pick<AnswerOf<'POST /search/brands'>['suppliers'][number], 'outcome' | 'rows'>

const rank = ({ outcome, rows }: Supplier): number => (rows > 0 ? 0 : outcome === 'ok' ? 2 : 1)

/** Those that have the article first, then those that failed. */
export const hitsFirst = <Each extends Supplier>(suppliers: readonly Each[]): Each[] =>
  suppliers.toSorted((one, other) => rank(one) - rank(other))

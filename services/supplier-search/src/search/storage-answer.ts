import type { Supplier } from '@partsbus/contracts/stock/storage'

/** A storage to query; its supplier is null when its stored header values cannot be decrypted. */
export interface QueriedStorage<Kind extends Supplier | null = Supplier | null> {
  readonly id: number
  readonly name: string
  readonly supplier: Kind
}

export type HttpStorage = QueriedStorage<Extract<Supplier, { kind: 'http' }>>

/** `partial`: the storage answered only a part of the query. */
export type Outcome = 'ok' | 'partial' | 'timeout' | 'error'

/** The answer of one storage; it has rows only when the outcome is `ok` or `partial`. */
export interface StorageAnswer<Row> {
  storage: Pick<QueriedStorage, 'id' | 'name'>
  outcome: Outcome
  rows: readonly Row[]
}

/** An answer, and how the storage came to it: for administrators and the statistics. */
export interface NotedAnswer<Row> extends StorageAnswer<Row> {
  /** milliseconds */
  ms: number
  isCached: boolean
  /** not asked, because its circuit breaker is open */
  isCutOff: boolean
  /** the reason of a failure, or of a partial answer, in words */
  error: string | null
}

/** The result of a query as partners see it (rules.md#suppliers-partial, rules.md#suppliers-incomplete). */
export interface Summary {
  result: boolean
  message: string
  /** like `12=ok,14=timeout,15=error`, by storage id; at most {@link MAX_SUPPLIERS_BYTES} */
  suppliers: string
}

/** Proxies like nginx read response headers into a buffer of 4 KB. */
const MAX_SUPPLIERS_BYTES = 3_072

export function summarize(answers: readonly StorageAnswer<unknown>[]): Summary {
  const sorted = [...answers].sort((one, other) => one.storage.id - other.storage.id)
  const suppliers = listOutcomes(sorted)
  const incomplete = sorted.filter(({ outcome }) => outcome !== 'ok').length
  const silent = sorted.filter(({ outcome }) => outcome === 'timeout' || outcome === 'error').length
  if (incomplete === 0) return { result: true, message: 'OK', suppliers }
  if (silent === sorted.length) return { result: false, message: 'No supplier answered.', suppliers }
  const message = `Partial result: ${incomplete} of ${sorted.length} suppliers did not answer.`
  return { result: true, message, suppliers }
}

/** Outcomes other than `ok` come first when the list is too long; `+N` counts the rest (rules.md#suppliers-header). */
function listOutcomes(sorted: readonly StorageAnswer<unknown>[]): string {
  const entries = sorted.map(({ storage, outcome }) => `${storage.id}=${outcome}`)
  const all = entries.join(',')
  if (all.length <= MAX_SUPPLIERS_BYTES) return all
  const room = MAX_SUPPLIERS_BYTES - `,+${entries.length}`.length
  const listed: string[] = []
  let length = 0
  const byUrgency = [...entries.filter((entry) => !entry.endsWith('=ok')), ...entries.filter((e) => e.endsWith('=ok'))]
  for (const entry of byUrgency) {
    if (length + entry.length + 1 > room) break
    listed.push(entry)
    length += entry.length + 1
  }
  return [...listed, `+${entries.length - listed.length}`].join(',')
}

import type { Supplier } from '@partsbus/contracts/storage'

/** A storage as it is asked; without a supplier when its stored header values cannot be decrypted. */
export interface AskedStorage<Kind extends Supplier | null = Supplier | null> {
  id: number
  name: string
  supplier: Kind
}

export type HttpStorage = AskedStorage<Extract<Supplier, { kind: 'http' }>>

export type Outcome = 'ok' | 'timeout' | 'error'

/** What one storage had to say; rows only when the outcome is `ok`. */
export interface StorageAnswer<Row> {
  storage: Pick<AskedStorage, 'id' | 'name'>
  outcome: Outcome
  rows: Row[]
}

/** What the partner is told about the suppliers (rules.md#suppliers-partial). */
export interface Verdict {
  result: boolean
  message: string
  /** like `12=ok,14=timeout,15=error`, by storage id */
  suppliers: string
}

export function judge(answers: readonly StorageAnswer<unknown>[]): Verdict {
  const sorted = [...answers].sort((one, other) => one.storage.id - other.storage.id)
  const suppliers = sorted.map(({ storage, outcome }) => `${storage.id}=${outcome}`).join(',')
  const silent = sorted.filter(({ outcome }) => outcome !== 'ok').length
  if (silent === 0) return { result: true, message: 'OK', suppliers }
  if (silent === sorted.length) return { result: false, message: 'No supplier answered.', suppliers }
  return { result: true, message: `Partial result: ${silent} of ${sorted.length} suppliers did not answer.`, suppliers }
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies one request from the gateway to its last log line. */
export interface CallScope {
  requestId: string
  /** the API of the gateway that the request came to, for the log */
  api?: string
  /** whose share of a capacity the request uses (rules.md#overload) */
  caller?: string
  /** W3C trace context as received; passed on even when tracing is off */
  traceparent?: string
  /** when the caller stops waiting, on the clock of `performance.now()` */
  until?: number
  /** of a batch that waits for what needs none of its connections: the next one may begin (rules.md#overload) */
  endTurn?: () => void
}

const scopes = new AsyncLocalStorage<CallScope | undefined>()

/** @param scope undefined for work that belongs to no request */
export function runInScope<T>(scope: CallScope | undefined, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentScope(): CallScope | undefined {
  return scopes.getStore()
}

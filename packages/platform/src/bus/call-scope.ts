import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies one request from the gateway to its last log line. */
export interface CallScope {
  requestId: string
  /** W3C trace context as received; passed on even when tracing is off */
  traceparent?: string
  /** when the caller stops waiting, on the clock of `performance.now()` */
  until?: number
}

const scopes = new AsyncLocalStorage<CallScope>()

export function runInScope<T>(scope: CallScope, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentScope(): CallScope | undefined {
  return scopes.getStore()
}

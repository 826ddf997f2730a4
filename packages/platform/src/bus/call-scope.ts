import { AsyncLocalStorage } from 'node:async_hooks'

/** What belongs to one request from its door to its last log line. */
export interface CallScope {
  requestId: string
  /** W3C trace context as it came in; passed on even when no tracing is loaded */
  traceparent?: string
}

const scopes = new AsyncLocalStorage<CallScope>()

export function runInScope<T>(scope: CallScope, work: () => T): T {
  return scopes.run(scope, work)
}

export function currentScope(): CallScope | undefined {
  return scopes.getStore()
}

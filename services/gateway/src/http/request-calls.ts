import type { BusClient } from '@partsbus/platform/bus/client'
import type { CallScope } from '@partsbus/platform/bus/call-scope'

type Calls = Pick<BusClient, 'request' | 'forward'>

/**
 * The same context, with calls that carry the id and the trace of the request. The services use AsyncLocalStorage for
 * that; in the gateway it would cost more than all other work on a request.
 */
export function withRequestScope<Context extends { calls: Calls }>(
  ctx: Context,
  { scope }: { scope: CallScope },
): Context {
  const calls: Calls = {
    request: (command, body, options) => ctx.calls.request(command, body, { scope, ...options }),
    forward: (command, body, options) => ctx.calls.forward(command, body, { scope, ...options }),
  }
  return { ...ctx, calls }
}

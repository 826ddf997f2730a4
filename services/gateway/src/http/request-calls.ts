import type { BusClient } from '@partsbus/platform/bus/client'
import type { CallScope } from '@partsbus/platform/bus/call-scope'

type Calls = Pick<BusClient, 'request' | 'forward'>

/**
 * The same context, but its calls carry the id and the trace of the request they are made for. Handed on by hand: following each
 * request through all of its promises, as the services do, costs a request of the gateway more than all it does itself.
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

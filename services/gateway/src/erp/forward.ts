import type { ErrorPolicy } from '@partsbus/contracts/batch'
import type { BatchCommand, Command } from '@partsbus/contracts/message'
import type { CallSettings } from '@partsbus/contracts/settings'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '../http/body/read-json-body.js'
import { requestSettings } from '../http/request-state.js'
import { errorPolicy } from './error-policy.js'

/** How long a service may work on a batch, beside what it waits for images. */
const BATCH_TIMEOUT_MS = 30_000

/** A handler that passes the body on to a service and its reply back, both as bytes (architecture.md#gateway). */
export function forward(ctx: GatewayContext, command: Command | BatchCommand) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    const { call } = requestSettings(request)
    const policy = errorPolicy(request.headers['x-error-policy'], call.erp_error_policy)
    const settings = policy === call.erp_error_policy ? call : underPolicy(call, policy)
    return ctx.admission.run(async (hold) => {
      const body = await readJsonBytes(request, reply, hold)
      const answer = await ctx.calls.forward(command, body, {
        timeoutMs: BATCH_TIMEOUT_MS + settings.media_wait_ms,
        settings,
        scope: request.scope,
      })
      reply.header('content-type', 'application/json; charset=utf-8')
      return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
    })
  }
}

/** The settings of calls whose header names the other policy; one object goes with thousands of calls, and is printed once. */
const otherPolicy = new WeakMap<CallSettings, CallSettings>()

function underPolicy(call: CallSettings, policy: ErrorPolicy): CallSettings {
  const known = otherPolicy.get(call)
  if (known?.erp_error_policy === policy) return known
  const settings = { ...call, erp_error_policy: policy }
  otherPolicy.set(call, settings)
  return settings
}

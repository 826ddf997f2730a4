import type { ErrorPolicy } from '@partsbus/contracts/batch'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { type BatchCommand, busHeaders, type Command, MAX_BODY_BYTES } from '@partsbus/contracts/message'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import { type BatchCounts, readCounts } from '@partsbus/platform/bus/batch-counts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { readJsonBytes } from '@partsbus/http-guard/read-json-body'
import { batchOptions } from './batch-options.js'
import { errorPolicy } from './error-policy.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** what a batch did; undefined until it is answered */
    batchCounts: BatchCounts | undefined
  }
}

/** How long a service may work on a batch in ms, in addition to its wait for images. */
const BATCH_TIMEOUT_MS = 30_000
/**
 * The key that names images in a batch, without its opening quote: JSON is full of quotes, and the search takes a fifth
 * of the time without one.
 */
const IMAGE_KEYS = new Map<string, string>([
  [upsertProducts.subject, 'images"'],
  [upsertCategories.subject, 'image_url"'],
])

/** A handler that forwards the body to a service and its reply to the client, both as bytes. */
export function forward({ admission, calls }: GatewayContext, command: Command | BatchCommand) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    const { call } = requestSettings(request)
    const policy = errorPolicy(request.headers['x-error-policy'], call.erp_error_policy)
    const settings = policy === call.erp_error_policy ? call : withPolicy(call, policy)
    const batch = batchOptions(request.headers)
    const answer = await admission.erp.receive(
      (reserve) => readJsonBytes(request, reply, reserve, MAX_BODY_BYTES),
      (body) =>
        calls.forward(command, body, {
          timeoutMs: BATCH_TIMEOUT_MS + settings.media_wait_ms,
          settings,
          batch,
          onReplyHeaders: (headers) => {
            request.batchCounts = readCounts(headers?.get(busHeaders.batchCounts))
          },
          scope: request.scope,
        }),
      { pauseMs: (body) => (mayWaitForImages(command, body) ? settings.media_wait_ms : 0) },
    )
    reply.header('content-type', 'application/json; charset=utf-8')
    return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  }
}

/** Text that contains the key by chance only makes a batch count as less urgent. */
export function mayWaitForImages({ subject }: Command | BatchCommand, body: Buffer): boolean {
  const key = IMAGE_KEYS.get(subject)
  return key !== undefined && body.includes(key)
}

/** One object per snapshot and policy, since the bus client caches the serialized form of each object. */
const otherPolicy = new WeakMap<CallSettings, CallSettings>()

function withPolicy(call: CallSettings, policy: ErrorPolicy): CallSettings {
  const cached = otherPolicy.get(call)
  if (cached?.erp_error_policy === policy) return cached
  const settings = { ...call, erp_error_policy: policy }
  otherPolicy.set(call, settings)
  return settings
}

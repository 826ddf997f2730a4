import { MAX_SMALL_BODY_BYTES, busHeaders } from '@partsbus/contracts/message'
import type { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import { requestSettings } from '../auth/request-settings.js'
import type { GatewayContext } from '../context.js'
import { readOptionalJson } from '@partsbus/http-guard/read-json-body'

/** The search answers within 10 s (rules.md#suppliers-time). */
const TIMEOUT_MS = 12_000

/** `POST /get-brands` and `POST /get-parts`. The outcome of each storage is sent in the header `x-suppliers`. */
export function search({ admission, calls }: GatewayContext, command: typeof findBrands | typeof findParts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    let suppliers = ''
    const bytes = await admission.b2b.receive(
      (reserve) => readOptionalJson(request, reply, reserve, MAX_SMALL_BODY_BYTES),
      (body) =>
        calls.forward(command, body, {
          timeoutMs: TIMEOUT_MS,
          scope: request.scope,
          settings: requestSettings(request).call,
          onReplyHeaders: (headers) => {
            suppliers = headers?.get(busHeaders.suppliers) ?? ''
          },
        }),
      { caller: addressKey(request.address) },
    )
    reply.headers({ 'x-suppliers': suppliers, 'content-type': 'application/json; charset=utf-8' })
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}

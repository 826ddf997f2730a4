import type { ReplyOf } from '@partsbus/contracts/message'
import type { findBrands, findParts } from '@partsbus/contracts/search'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { admittedUnder } from '../http/request-state.js'
import { readJson } from './read-json.js'

/** The search answers within 10 s (decisions, "Time limits"); a little more, for its way. */
const TIMEOUT_MS = 12_000

/** `POST /get-brands` and `POST /get-parts`: what became of each storage goes into a header, beside the documented body. */
export function search(ctx: GatewayContext, command: typeof findBrands | typeof findParts) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => ctx.admission.run(async (hold) => {
    const body = await readJson(request, reply, hold)
    const bytes = await ctx.calls.forward(command, body, { timeoutMs: TIMEOUT_MS, settings: admittedUnder(request).call })
    const { suppliers, ...answer } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as ReplyOf<typeof command>
    reply.header('x-suppliers', suppliers)
    return answer
  })
}

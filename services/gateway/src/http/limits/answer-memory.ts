import { AppError } from '@partsbus/contracts/app-error'
import { Transfers } from '@partsbus/http-guard/transfers'
import { addressKey } from '@partsbus/platform/net/address-key'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setDefaultHeaders } from '../request-scope.js'

/** To requests without a credential: documents, pages, errors. */
const PUBLIC_ANSWERS = { bytes: 32 * 1024 * 1024, ofOne: 16 * 1024 * 1024 }
/** To all others. */
const OWN_ANSWERS = { bytes: 64 * 1024 * 1024 }
/** The head of an answer, and the objects that hold it until it is sent. */
const HEAD_BYTES = 2 * 1024
/** Of the representation that a refusal replaces. */
const REPRESENTATION = ['etag', 'vary', 'content-encoding', 'content-length', 'content-type']

/**
 * Bounds the memory of all answers that are sent as a whole, until their clients have received them
 * (rules.md#overload). What is sent in chunks, like images, has a bound of its own. An answer to a request with a
 * credential is never refused, because it may say what was changed.
 */
export function boundAnswers(app: FastifyInstance): void {
  const openAnswers = new Transfers(PUBLIC_ANSWERS)
  const ownAnswers = new Transfers(OWN_ANSWERS)
  const refused = new WeakSet<FastifyRequest>()
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    const { socket } = request.raw
    if (bytes === 0 || socket.destroyed || refused.has(request)) return done(null, payload)
    try {
      const end = isAuthenticated(request)
        ? ownAnswers.start(socket, bytes + HEAD_BYTES, { mustStart: true })
        : openAnswers.start(socket, bytes + HEAD_BYTES, { caller: addressKey(request.address) })
      reply.raw.once('close', end)
      done(null, payload)
    } catch (error) {
      refused.add(request)
      forgetRepresentation(request, reply)
      done(error as AppError)
    }
  })
}

function isAuthenticated({ settings, administrator }: FastifyRequest): boolean {
  return settings !== undefined || administrator !== undefined
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return payload instanceof Uint8Array ? payload.length : 0
}

function forgetRepresentation(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of REPRESENTATION) reply.removeHeader(name)
  setDefaultHeaders(request, reply)
}

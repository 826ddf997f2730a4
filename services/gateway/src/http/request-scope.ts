import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '@partsbus/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddressList } from './address/address-list.js'
import { clientAddress } from './address/client-address.js'
import './request-state.js'

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/** Headers of every answer; routes that serve pictures or pages set their own over them. */
const answerHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The caller's `x-request-id` when it sent a sane one, else a new one. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID()
}

export function setDefaultHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...answerHeaders })
}

/** First of all hooks: gives a request its id, address and call scope, which bus messages carry. */
export function addRequestScope(app: FastifyInstance, trustedProxies: AddressList): void {
  app.decorateRequest('sentMediaType')
  app.decorateRequest('address')
  app.decorateRequest('scope')
  app.decorateRequest('held')
  app.decorateRequest('errorCode')
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    request.sentMediaType = headers['content-type']
    // bodies are read by the routes that want them; Fastify would refuse media types of bodies nobody reads
    headers['content-type'] = undefined
    const forwarded = headers['x-forwarded-for']
    request.address = clientAddress(
      request.raw.socket.remoteAddress,
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
      trustedProxies,
    )
    const { traceparent } = headers
    const traced = typeof traceparent === 'string' && TRACEPARENT.test(traceparent)
    request.scope = traced ? { requestId: request.id, traceparent } : { requestId: request.id }
    setDefaultHeaders(request, reply)
    if (headers.host === undefined && request.raw.httpVersion === '1.1')
      return done(new AppError('MALFORMED', 'The Host header is missing.'))
    done()
  })
}

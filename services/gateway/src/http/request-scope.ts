import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AppError } from '@partsbus/contracts/app-error'
import type { CallScope } from '@partsbus/platform/bus/call-scope'
import type { AddressList } from '@partsbus/platform/net/address-list'
import { describeServerSpan } from '@partsbus/platform/process/spans'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import { clientAddress } from '../addresses/client-address.js'
import { apiName } from './api-name.js'
import { hasUnreadBody } from '@partsbus/http-guard/discard-body'

declare module 'fastify' {
  interface FastifyRequest {
    /** the media type as the client sent it; Fastify's own parsing never sees it */
    sentMediaType: string | undefined
    /** the client's address; undefined when a trusted proxy named none */
    address: string | undefined
    /** identifies the request in calls to the services */
    scope: CallScope
    /** code of the error in the response, for the log */
    errorCode: string | undefined
  }
}

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
/** How long the rest of a body may arrive after the response was sent, in ms. */
const UNREAD_BODY_MS = 1_000

/** Headers of every response; routes that serve images or pages override them. */
const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const ids = new WeakMap<IncomingMessage, string>()

/** The caller's `x-request-id` when it is sane, else a new one that stays with the request (rules.md#request-id). */
export function requestId(request: IncomingMessage): string {
  const known = ids.get(request)
  if (known !== undefined) return known
  const sent = request.headers['x-request-id']
  const id = typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID()
  ids.set(request, id)
  return id
}

/** Node keeps the first, while a proxy may have routed by the second. @param rawHeaders alternating names and values */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

export function setDefaultHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...defaultHeaders })
}

/** The first of all hooks: gives a request its id, its client address and its call scope. */
export function addRequestScope(app: FastifyInstance, trustedProxies: AddressList): void {
  app.decorateRequest('sentMediaType')
  app.decorateRequest('address')
  app.decorateRequest('scope')
  app.decorateRequest('errorCode')
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    request.sentMediaType = headers['content-type']
    // routes read their bodies themselves; Fastify would refuse the media type of a body that nobody reads
    headers['content-type'] = undefined
    const forwarded = headers['x-forwarded-for']
    request.address = clientAddress(
      request.raw.socket.remoteAddress,
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
      trustedProxies,
    )
    const { traceparent } = headers
    const traced = typeof traceparent === 'string' && TRACEPARENT.test(traceparent)
    const api = apiName(request.url)
    request.scope = { requestId: request.id }
    if (api) request.scope.api = api
    // the ERP has no share
    if (api && api !== 'erp') request.scope.caller = addressKey(request.address)
    if (traced) request.scope.traceparent = traceparent
    describeServerSpan(request.scope, request)
    setDefaultHeaders(request, reply)
    if (headers.host === undefined && request.raw.httpVersion === '1.1')
      return done(new AppError('MALFORMED', 'The Host header is missing.'))
    if (hasTwoHosts(request.raw.rawHeaders))
      return done(new AppError('MALFORMED', 'The Host header is sent more than once.'))
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // a body that no route read would keep its connection busy for as long as the client likes
    if (hasUnreadBody(raw)) {
      const timer = setTimeout(() => raw.socket.destroy(), UNREAD_BODY_MS).unref()
      raw.once('end', () => clearTimeout(timer))
    }
    done()
  })
}

import type { IncomingMessage } from 'node:http'
import type { Role } from '@partsbus/contracts/http/row'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { FastifyRequest } from 'fastify'
import { addressKey } from '@partsbus/platform/net/address-key'
import { bearerToken, isBearer } from '../auth/bearer-token.js'
import { tokenMatches } from '../auth/api-token.js'
import type { Accounts } from './administrators/accounts.js'
import { administratorOf, tokenHolder } from './administrators/request-administrator.js'
import { readSessionCookie } from './sessions/session-cookie.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** of a route of `/api/admin`: the least role that may use it */
    role?: Role
  }
}

/** Methods that change nothing; a page of another site cannot see their response. */
const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * The checks of every admin request before its route is looked at (admin.md#auth, admin.md#cross-site): the bearer
 * token, which alone counts when one was sent, else the cookie of a session. A cookie is sent by the browser itself, so
 * a request that changes something must come from a page of our own.
 * @returns a function that sets `administrator`, or throws AppError UNAUTHENTICATED, RATE_LIMITED, FORBIDDEN,
 *   UNAVAILABLE
 */
export function createAdminAuthentication(accounts: Accounts): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    // a sign-in has no credential yet; a page of another site must not sign the browser in as somebody else
    if (request.routeOptions.config.role === 'nobody') {
      assertSameOrigin(request.raw, accounts.baseUrl(request.raw))
      return
    }
    if (isBearer(request.raw.rawHeaders)) {
      await authenticateBearer(accounts, request)
      return
    }
    const form = accounts.cookieForm(request.raw)
    const token = form && readSessionCookie(request.headers.cookie, form)
    const opened = token === undefined ? undefined : await accounts.access.find(token, addressKey(request.address))
    if (!opened) throw unauthenticated()
    request.openSession = opened
    request.administrator = administratorOf(opened)
    if (!SAFE_METHODS.has(request.method)) assertSameOrigin(request.raw, accounts.baseUrl(request.raw))
  }
}

/** Whose share of the admin API's bounds a request uses (rules.md#overload): a session. The token has no share. */
export function callerKey({ openSession }: Pick<FastifyRequest, 'openSession'>): string | undefined {
  return openSession?.session.id
}

/** Wrong tokens are limited by address, apart from sign-ins; a valid one is accepted (admin.md#throttling). */
async function authenticateBearer(accounts: Accounts, request: FastifyRequest): Promise<void> {
  const token = bearerToken(request.raw.rawHeaders)
  // no guess
  if (token === undefined) throw unauthenticated()
  if (tokenMatches(token, accounts.adminTokenDigest)) {
    request.administrator = tokenHolder
    return
  }
  accounts.attempts.assertFew(request.address)
  await accounts.attempts.fail(request.address)
  throw unauthenticated()
}

/**
 * False when the session that authenticated a long response has ended (admin.md#revocation). True while the
 * administration service is away: nobody can end a session then.
 */
export async function isStillSignedIn(accounts: Accounts, request: FastifyRequest): Promise<boolean> {
  if (!request.openSession) return true
  const form = accounts.cookieForm(request.raw)
  const token = form && readSessionCookie(request.headers.cookie, form)
  if (token === undefined) return false
  return accounts.access.find(token, addressKey(request.address)).then(
    (opened) => opened !== undefined,
    () => true,
  )
}

/**
 * Not every browser says where a `GET` to the page's own origin comes from: over plain HTTP in a LAN, none does.
 * @throws AppError FORBIDDEN unless a browser says that a page of the gateway sent the request, or says nothing about
 *   one that changes nothing
 */
function assertSameOrigin({ headers, method = '' }: IncomingMessage, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = headers
  if (site === undefined && origin === undefined && SAFE_METHODS.has(method)) return
  const isSame = site === undefined ? isOrigin(origin, baseUrl) : site === 'same-origin'
  if (!isSame) throw new AppError('FORBIDDEN', 'Cross-site requests are not allowed.')
}

function isOrigin(origin: string | undefined, baseUrl: string): boolean {
  return origin !== undefined && URL.canParse(baseUrl) && origin === new URL(baseUrl).origin
}

function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', texts.unauthenticated)
}

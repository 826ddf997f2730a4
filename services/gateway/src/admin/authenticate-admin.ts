import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { FastifyRequest } from 'fastify'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { requestBaseUrl } from '../addresses/base-url.js'
import { bearerToken } from '../auth/bearer-token.js'
import type { GatewayConfig } from '../config.js'
import { FailureLimit } from '../http/limits/failure-limit.js'
import { digest, tokenMatches } from '../settings/access-token.js'
import { type Administrator, tokenHolder } from './administrators/request-administrator.js'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The checks of every admin request (admin.md#auth, admin.md#wrong-tokens, admin.md#cross-site): the token, then, for
 * methods that change something, that no page of another site sent the request. The latter matters once browsers send
 * credentials by themselves.
 * @returns a function that names the administrator, or throws AppError UNAUTHENTICATED, RATE_LIMITED or FORBIDDEN
 */
export function createAdminAuthentication(
  config: Pick<GatewayConfig, 'ADMIN_TOKEN' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>,
): (request: Pick<FastifyRequest, 'raw' | 'address' | 'method'>) => Administrator {
  const failures = new FailureLimit()
  const tokenDigest = digest(config.ADMIN_TOKEN)
  const trustedProxies = parseAddressList(config.TRUSTED_PROXIES)
  return ({ raw, address, method }) => {
    const token = bearerToken(raw.rawHeaders)
    if (token === undefined || !tokenMatches(token, tokenDigest)) {
      failures.record(address ?? '')
      throw new AppError('UNAUTHENTICATED', texts.unauthenticated)
    }
    if (!SAFE_METHODS.has(method) && isCrossSite(raw, requestBaseUrl(raw, config.PUBLIC_URL, trustedProxies))) {
      throw new AppError('FORBIDDEN', 'Cross-site requests are not allowed.')
    }
    return tokenHolder
  }
}

/** True when a browser says that a page of another origin sent the request. Other clients send neither header. */
function isCrossSite({ headers }: IncomingMessage, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  // the host only: a proxy in front may have removed TLS
  return origin !== undefined && hostOf(origin) !== hostOf(baseUrl)
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

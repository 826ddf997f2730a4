import type { IncomingMessage } from 'node:http'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { requestBaseUrl } from '../../addresses/base-url.js'
import { digest } from '../../auth/api-token.js'
import { openTokenAttempts, type TokenAttempts } from '../../auth/token-attempts.js'
import type { GatewayConfig } from '../../config.js'
import { SessionAccess } from '../sessions/session-access.js'
import { type CookieForm, cookieForm } from '../sessions/session-cookie.js'

type AccountConfig = Pick<GatewayConfig, 'ADMIN_TOKEN' | 'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'ADMIN_PLAIN_HTTP'>

/** What tells who sends a request of `/api/admin`. */
export interface Accounts {
  access: SessionAccess
  /** wrong bearer tokens */
  attempts: TokenAttempts
  /** SHA-256 of ADMIN_TOKEN */
  adminTokenDigest: Buffer
  /** the holder of sessions of ADMIN_TOKEN */
  tokenHolder: string
  baseUrl(request: IncomingMessage): string
  /** undefined where a session would cross a network in clear text */
  cookieForm(request: IncomingMessage): CookieForm | undefined
}

export function openAccounts(
  config: AccountConfig,
  { bus, calls }: { bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss' | 'reached'>; calls: Pick<BusClient, 'request'> },
): Accounts {
  const tokenHolder = tokenHolderKey(config.ADMIN_TOKEN)
  const trustedProxies = parseAddressList(config.TRUSTED_PROXIES)
  const baseUrl = (request: IncomingMessage): string => requestBaseUrl(request, config.PUBLIC_URL, trustedProxies)
  return {
    access: new SessionAccess({ calls, bus, tokenHolder }),
    attempts: openTokenAttempts(bus),
    adminTokenDigest: digest(config.ADMIN_TOKEN),
    tokenHolder,
    baseUrl,
    cookieForm: (request) => cookieForm(baseUrl(request), config.ADMIN_PLAIN_HTTP === 'on'),
  }
}

/** Sessions of ADMIN_TOKEN end with it: another token is another holder. */
function tokenHolderKey(adminToken: string): string {
  return `token:${digest(`sessions of ${adminToken}`).toString('hex')}`
}

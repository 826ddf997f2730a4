import type { IncomingMessage } from 'node:http'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import type { Log } from '@partsbus/platform/process/log'
import type { Runtime } from '@partsbus/platform/process/runtime'
import { requestBaseUrl } from '../../addresses/base-url.js'
import type { GatewayConfig } from '../../config.js'
import type { AttemptLimit } from '../../http/limits/attempt-limit.js'
import { openAttemptLimit } from '../../http/limits/open-attempt-limit.js'
import { digest } from '../../settings/access-token.js'
import { SessionAccess } from '../sessions/session-access.js'
import { type CookieForm, cookieForm } from '../sessions/session-cookie.js'
import { SessionStore, tokenHolderKey } from '../sessions/session-store.js'
import { AdministratorStore } from './administrator-store.js'
import { PasswordQueue } from './password-queue.js'

type AccountConfig = Pick<GatewayConfig, 'ADMIN_TOKEN' | 'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'ADMIN_PLAIN_HTTP'>

/** Administrators, their sessions, and the limits of signing in. */
export interface Accounts {
  administrators: AdministratorStore
  sessions: SessionStore
  access: SessionAccess
  attempts: AttemptLimit
  passwords: PasswordQueue
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
  {
    bus,
    mongo,
    log,
  }: {
    bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss' | 'reached'>
    mongo: Pick<Runtime['mongo'], 'db' | 'unavailable'>
    log: Log
  },
): Accounts {
  const administrators = new AdministratorStore(mongo.db)
  const sessions = new SessionStore(mongo.db)
  const tokenHolder = tokenHolderKey(config.ADMIN_TOKEN)
  const trustedProxies = parseAddressList(config.TRUSTED_PROXIES)
  const baseUrl = (request: IncomingMessage): string => requestBaseUrl(request, config.PUBLIC_URL, trustedProxies)
  return {
    administrators,
    sessions,
    access: new SessionAccess({ sessions, administrators, bus, mongo, tokenHolder, log }),
    attempts: openAttemptLimit(bus),
    passwords: new PasswordQueue(),
    adminTokenDigest: digest(config.ADMIN_TOKEN),
    tokenHolder,
    baseUrl,
    cookieForm: (request) => cookieForm(baseUrl(request), config.ADMIN_PLAIN_HTTP === 'on'),
  }
}

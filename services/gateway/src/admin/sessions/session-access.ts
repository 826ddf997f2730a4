import {
  findSessions,
  getOpenSession,
  MAX_DIGESTS,
  type OpenSession,
} from '@partsbus/contracts/administration/accounts'
import { administratorsChanged } from '@partsbus/contracts/gateway/commands'
import type { BusClient } from '@partsbus/platform/bus/client'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache } from '@partsbus/platform/bus/invalidated-cache'
import { LRUCache } from 'lru-cache'
import { digest } from '../../auth/api-token.js'
import { Admission } from '@partsbus/http-guard/admission'
import { BatchedLookup } from './batched-lookup.js'

/** How long the administration service may take for a look-up, in ms. */
const TIMEOUT_MS = 3_000

/** Cookies that this gateway has not seen open a session: anybody can send one. */
export const UNKNOWN_COOKIES = { keys: MAX_DIGESTS, waiting: 4_000, ofOne: 1_000 }
/** Sessions that this gateway has seen; a cookie of one is looked up apart from unknown ones. */
export const KNOWN_SESSIONS = { requests: 100, entries: 10_000, bytes: 0 }

export interface SessionSources {
  calls: Pick<BusClient, 'request'>
  bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss' | 'reached'>
  /** the holder of sessions of ADMIN_TOKEN */
  tokenHolder: string
}

/**
 * Finds the session of a cookie. Whoever has no session costs nothing to those who have one: unknown cookies are looked
 * up together, one query at a time, are not cached, and wait apart from known sessions (rules.md#overload). A session
 * and its administrator are cached for at most a second, until a change is announced, so that every gateway refuses a
 * revoked session within a second, with or without the bus (admin.md#revocation).
 */
export class SessionAccess {
  private readonly sources: SessionSources
  private readonly lookups = new Admission(KNOWN_SESSIONS)
  private readonly known = new LRUCache<string, true>({ max: KNOWN_SESSIONS.entries })
  private readonly unknown: BatchedLookup<true>
  private cache: InvalidatedCache<OpenSession | null> | undefined

  constructor(sources: SessionSources) {
    this.sources = sources
    const { bus } = sources
    this.unknown = new BatchedLookup(UNKNOWN_COOKIES, (digests) => this.findOpen(digests))
    // a bus that refuses the gateway ends the process elsewhere
    bus.reached.then(
      () => {
        this.cache = new InvalidatedCache(bus, administratorsChanged.subject)
      },
      () => undefined,
    )
  }

  /**
   * @param caller who sent the cookie, for the share of unknown ones
   * @throws AppError UNAVAILABLE while the administration service is away, OVERLOADED
   */
  async find(token: string, caller: string): Promise<OpenSession | undefined> {
    const sha256 = sessionDigest(token)
    const cached = this.cache?.get(sha256)
    if (cached !== undefined) return cached ?? undefined
    if (this.known.peek(sha256) === undefined) {
      if ((await this.unknown.read(sha256, caller)) === undefined) return undefined
      this.known.set(sha256, true)
    }
    const read = (): Promise<OpenSession | null> => this.read(sha256)
    return (await this.lookups.run(() => this.cache?.read(sha256, read) ?? read())) ?? undefined
  }

  private async findOpen(digests: string[]): Promise<Map<string, true>> {
    const { open } = await this.sources.calls.request(findSessions, { digests }, { timeoutMs: TIMEOUT_MS })
    return new Map(open.map((each) => [each, true]))
  }

  private async read(sha256: string): Promise<OpenSession | null> {
    const { calls, tokenHolder } = this.sources
    const request = { digest: sha256, token_holder: tokenHolder }
    const { opened } = await calls.request(getOpenSession, request, { timeoutMs: TIMEOUT_MS })
    if (!opened) this.known.delete(sha256)
    return opened
  }
}

/** The stored form of a session's token. */
export function sessionDigest(token: string): string {
  return digest(token).toString('hex')
}

import { administratorsChanged } from '@partsbus/contracts/gateway/commands'
import type { AppError } from '@partsbus/contracts/errors'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { InvalidatedCache, publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { Log } from '@partsbus/platform/process/log'
import { LRUCache } from 'lru-cache'
import { Admission } from '../../http/limits/admission.js'
import type { AdministratorDocument, AdministratorStore } from '../administrators/administrator-store.js'
import { BatchedLookup } from './batched-lookup.js'
import { type SessionDocument, sessionDigest, type SessionStore } from './session-store.js'

/** Cookies that this gateway has not seen open a session: anybody can send one. */
export const UNKNOWN_COOKIES = { keys: 500, waiting: 4_000, ofOne: 1_000 }
/** Sessions that this gateway has seen; a cookie of one is looked up apart from unknown ones. */
export const KNOWN_SESSIONS = { requests: 100, entries: 10_000, bytes: 0 }

/** A session that opens the admin API, and its administrator; null: the holder of ADMIN_TOKEN. */
export interface OpenSession {
  session: SessionDocument
  administrator: AdministratorDocument | null
}

export interface SessionSources {
  sessions: Pick<SessionStore, 'findOpen' | 'findAllOpen' | 'recordSeen'>
  administrators: Pick<AdministratorStore, 'findById' | 'recordSeen'>
  bus: Pick<BusConnection, 'nc' | 'isUp' | 'onLoss' | 'reached'>
  mongo: { unavailable(): AppError | undefined }
  /** the holder of sessions of ADMIN_TOKEN */
  tokenHolder: string
  log: Log
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
  private readonly unknown: BatchedLookup<SessionDocument>
  private cache: InvalidatedCache<OpenSession | null> | undefined

  constructor(sources: SessionSources) {
    this.sources = sources
    const { bus } = sources
    this.unknown = new BatchedLookup(UNKNOWN_COOKIES, (digests) => sources.sessions.findAllOpen(digests))
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
   * @throws AppError UNAVAILABLE while the database is down, OVERLOADED
   */
  async find(token: string, caller: string): Promise<OpenSession | undefined> {
    const sha256 = sessionDigest(token)
    const cached = this.cache?.get(sha256)
    if (cached !== undefined) return cached ?? undefined
    const unavailable = this.sources.mongo.unavailable()
    if (unavailable) throw unavailable
    try {
      if (this.known.peek(sha256) === undefined) {
        if ((await this.unknown.read(sha256, caller)) === undefined) return undefined
        this.known.set(sha256, true)
      }
      const read = (): Promise<OpenSession | null> => this.read(sha256)
      return (await this.lookups.run(() => this.cache?.read(sha256, read) ?? read())) ?? undefined
    } catch (error) {
      throw toAppError(error)
    }
  }

  /** Resolves when no gateway serves by an earlier state of sessions and administrators. */
  async announceChange(): Promise<void> {
    const { bus } = this.sources
    await publishInvalidation(bus, administratorsChanged.subject)
  }

  private async read(sha256: string): Promise<OpenSession | null> {
    const { sessions, administrators, tokenHolder } = this.sources
    const session = await sessions.findOpen(sha256)
    if (!session) {
      this.known.delete(sha256)
      return null
    }
    if (session.administrator_id === null) {
      if (session.holder !== tokenHolder) return null
      this.recordSeen(session)
      return { session, administrator: null }
    }
    const administrator = await administrators.findById(session.administrator_id)
    if (!administrator?.is_active) return null
    this.recordSeen(session)
    return { session, administrator }
  }

  private recordSeen(session: SessionDocument): void {
    const { sessions, administrators, log } = this.sources
    const record = async (): Promise<void> => {
      const at = await sessions.recordSeen(session)
      if (at && session.administrator_id !== null) await administrators.recordSeen(session.administrator_id, at)
    }
    record().catch((error: unknown) => log.warn({ err: error }, 'session activity not recorded'))
  }
}

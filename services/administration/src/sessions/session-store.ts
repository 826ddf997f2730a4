import { hash, randomUUID } from 'node:crypto'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { SESSION_MAX_AGE_MS, type SessionHolder } from '@partsbus/contracts/administration/accounts'
import { DatabaseClock } from '@partsbus/platform/mongo/clock'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { withTimeLimit } from '@partsbus/platform/mongo/with-time-limit'
import { type Collection, Db } from 'mongodb'

/*
 * open → ended: signed out or revoked (deleted), 12 h without a request, or 7 days after the sign-in (`ends_at`).
 * All times are those of the database's clock.
 */
export interface SessionDocument {
  /** shown in lists; it opens nothing */
  _id: string
  /** SHA-256 of the cookie's value, in hex */
  sha256: string
  /** whose session it is: see {@link holderKey} */
  holder: string
  /** null: a session of ADMIN_TOKEN */
  administrator_id: number | null
  started_at: Date
  seen_at: Date
  ends_at: Date
  address: string | null
  agent: string | null
}

const IDLE_MS = 12 * 3_600_000
const SEEN_EVERY_MS = 60_000
/** The oldest sessions of a holder end when there are more. */
const MAX_SESSIONS = 100
const MAX_AGENT_LENGTH = 300
const TIMEOUT_MS = 2_000

export function administratorHolder(id: number): string {
  return `administrator:${id}`
}

export function holderKey({ administrator_id: id, token_holder }: SessionHolder): string {
  return id === null ? token_holder : administratorHolder(id)
}

@Injectable()
export class SessionStore implements OnModuleInit {
  private readonly sessions: Collection<SessionDocument>
  private readonly clock: DatabaseClock

  constructor(db: Db) {
    this.sessions = db.collection<SessionDocument>('sessions')
    this.clock = new DatabaseClock(db)
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.sessions, [
      { name: 'token', key: { sha256: 1 }, options: { unique: true } },
      { name: 'holder', key: { holder: 1, started_at: -1 } },
      { name: 'ended', key: { ends_at: 1 } },
    ])
  }

  async open(session: {
    token: string
    holder: string
    administratorId: number | null
    address: string | null
    agent: string | null
  }): Promise<SessionDocument> {
    const now = await this.clock.now()
    const document: SessionDocument = {
      _id: randomUUID(),
      sha256: sessionDigest(session.token),
      holder: session.holder,
      administrator_id: session.administratorId,
      started_at: now,
      seen_at: now,
      ends_at: new Date(now.getTime() + IDLE_MS),
      address: session.address,
      agent: session.agent && session.agent.slice(0, MAX_AGENT_LENGTH),
    }
    await this.sessions.insertOne(document)
    await this.deleteOldest(session.holder)
    return document
  }

  async findOpen(sha256: string): Promise<SessionDocument | null> {
    return withTimeLimit(TIMEOUT_MS, async (limit) =>
      this.sessions.findOne({ sha256, ends_at: { $gt: await this.clock.now() } }, limit),
    )
  }

  /** The digests of the open ones among these. */
  async findAllOpen(digests: readonly string[]): Promise<string[]> {
    const open = await withTimeLimit(TIMEOUT_MS, async (limit) =>
      this.sessions.find({ sha256: { $in: [...digests] }, ends_at: { $gt: await this.clock.now() } }, limit).toArray(),
    )
    return open.map(({ sha256 }) => sha256)
  }

  /** Renews `seen_at`, once a minute at most. @returns when it was renewed, or undefined */
  async recordSeen({ _id, seen_at, started_at }: SessionDocument): Promise<Date | undefined> {
    const now = await this.clock.now()
    if (now.getTime() - seen_at.getTime() < SEEN_EVERY_MS) return undefined
    const ends_at = new Date(Math.min(started_at.getTime() + SESSION_MAX_AGE_MS, now.getTime() + IDLE_MS))
    await this.sessions.updateOne({ _id, seen_at: { $lt: now } }, { $set: { seen_at: now, ends_at } })
    return now
  }

  /** Newest first. */
  async listOpen(holder: string): Promise<SessionDocument[]> {
    return this.sessions
      .find({ holder, ends_at: { $gt: await this.clock.now() } })
      .sort({ started_at: -1 })
      .toArray()
  }

  /** Open sessions by id of the administrator; those without a session are left out. */
  async countOpen(administratorIds: readonly number[]): Promise<Map<number, number>> {
    const open = await this.sessions
      .find({ holder: { $in: administratorIds.map(administratorHolder) }, ends_at: { $gt: await this.clock.now() } })
      .project<{ administrator_id: number }>({ administrator_id: 1 })
      .toArray()
    const counts = new Map<number, number>()
    for (const { administrator_id: id } of open) counts.set(id, (counts.get(id) ?? 0) + 1)
    return counts
  }

  /** @returns false when the holder has no such session */
  async delete(id: string, holder: string): Promise<boolean> {
    return (await this.sessions.deleteOne({ _id: id, holder })).deletedCount === 1
  }

  /** Deletes the session that a cookie opens, whoever holds it. */
  async deleteByDigest(sha256: string): Promise<boolean> {
    return (await this.sessions.deleteOne({ sha256 })).deletedCount === 1
  }

  /** @param exceptId the session that stays */
  async deleteAll(holder: string, exceptId?: string): Promise<number> {
    const filter = { holder, ...(exceptId !== undefined && { _id: { $ne: exceptId } }) }
    return (await this.sessions.deleteMany(filter)).deletedCount
  }

  async deleteEnded(): Promise<number> {
    return (await this.sessions.deleteMany({ ends_at: { $lte: await this.clock.now() } })).deletedCount
  }

  private async deleteOldest(holder: string): Promise<void> {
    const old = await this.sessions
      .find({ holder })
      .sort({ started_at: -1 })
      .skip(MAX_SESSIONS)
      .project<{ _id: string }>({ _id: 1 })
      .toArray()
    if (old.length > 0) await this.sessions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
  }
}

/** The stored form of a session's token or an invitation's. */
export function sessionDigest(token: string): string {
  return hash('sha256', token)
}

import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { BegunEntry } from '@partsbus/contracts/administration/audit'
import type { AuditLog } from '@partsbus/contracts/administration/record-change'
import type { AuditEntry, AuditRequest } from '@partsbus/contracts/administration/settings'
import { parseInstant } from '@partsbus/contracts/instant'
import type { Page } from '@partsbus/contracts/paging'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { retryConflicts } from '@partsbus/platform/mongo/errors'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, Db, type Filter, ObjectId } from 'mongodb'

/*
 * States: begun → done, begun → deleted. An entry is `begun` before its change is made; it is deleted when the change
 * was refused. An entry that stays `begun` belongs to a change with an unknown outcome: the process died, or a service
 * did not answer. All times are those of the database's clock.
 */
interface AuditDocument {
  _id: ObjectId
  at: Date
  actor: string
  action: string
  /** JSON text, because names of settings and headers may contain dots and dollars */
  details: string
  state: 'begun' | 'done'
  /** the following are missing in entries of earlier releases */
  actor_id?: number | null
  entity?: string
  entity_id?: EntityId
  request_id?: string
  address?: string | null
}

type Details = Record<string, unknown>
type EntityId = number | string | null

/** Entries deleted by one write. */
const DELETE_BATCH = 1_000

@Injectable()
export class AuditStore implements AuditLog, OnModuleInit {
  private readonly entries: Collection<AuditDocument>
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
    this.entries = db.collection<AuditDocument>('audit')
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.entries, [
      { name: 'newest_first', key: { at: -1, _id: -1 } },
      { name: 'by_actor', key: { actor: 1, at: -1, _id: -1 } },
      { name: 'by_action', key: { action: 1, at: -1, _id: -1 } },
      { name: 'by_entity', key: { entity: 1, entity_id: 1, at: -1, _id: -1 } },
      { name: 'by_request', key: { request_id: 1, at: -1, _id: -1 } },
    ])
  }

  async begin({ caller, ...entry }: BegunEntry): Promise<string> {
    const _id = new ObjectId()
    await this.entries.insertOne({
      _id,
      at: await databaseNow(this.db),
      actor: caller.administrator.name,
      actor_id: caller.administrator.id,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entity_id,
      request_id: caller.request_id,
      address: caller.address,
      details: JSON.stringify(entry.details),
      state: 'begun',
    })
    return _id.toHexString()
  }

  /** @param entityId of a resource that the change created; undefined: it was known before */
  async complete(id: string, details: Details, entityId?: number | string): Promise<void> {
    const known = entityId === undefined ? {} : { entity_id: entityId }
    await this.entries.updateOne(
      { _id: ObjectId.createFromHexString(id) },
      { $set: { state: 'done', details: JSON.stringify(details), ...known } },
    )
  }

  async delete(id: string): Promise<void> {
    await this.entries.deleteOne({ _id: ObjectId.createFromHexString(id) })
  }

  /** Newest first. The details of a change with an unknown outcome say so. */
  list(request: AuditRequest): Promise<Page<AuditEntry>> {
    return findPage(this.entries, entryFilter(request), { at: -1, _id: -1 }, request, toEntry)
  }

  /**
   * Deletes entries that are older than `days` by the database's clock. Entries have no expiry date of their own, so
   * that a changed setting applies to the existing ones.
   * @returns how many were deleted
   */
  async deleteOlderThan(days: number): Promise<number> {
    const before = new Date((await databaseNow(this.db)).getTime() - days * 24 * 3_600_000)
    let deleted = 0
    for (;;) {
      const old = await this.entries
        .find({ at: { $lt: before } })
        .sort({ at: -1, _id: -1 })
        .limit(DELETE_BATCH)
        .project<{ _id: ObjectId }>({ _id: 1 })
        .toArray()
      if (old.length === 0) return deleted
      const ids = old.map((entry) => entry._id).toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1))
      deleted += (await retryConflicts(() => this.entries.deleteMany({ _id: { $in: ids } }))).deletedCount
    }
  }
}

function entryFilter({ actor, action, entity, entity_id, request_id, from, to }: AuditRequest): Filter<AuditDocument> {
  const [since, until] = [from, to].map((text) => (text ? parseInstant(text) : undefined))
  return {
    ...(actor !== undefined && { actor }),
    // a range serves a prefix by the index, without the escaping of a regular expression
    ...(action !== undefined && { action: { $gte: action, $lt: `${action}\uffff` } }),
    ...(entity !== undefined && { entity }),
    ...(entity_id !== undefined && { entity_id: { $in: idsWrittenAs(entity_id) } }),
    ...(request_id !== undefined && { request_id }),
    ...((since || until) && { at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } }),
  }
}

/** Ids are numbers, but those of sessions are texts. */
function idsWrittenAs(text: string): EntityId[] {
  return /^\d{1,15}$/.test(text) ? [text, Number(text)] : [text]
}

function toEntry(document: AuditDocument): AuditEntry {
  const { _id, at, actor, action, details, state } = document
  const known = JSON.parse(details) as Details
  return {
    id: _id.toHexString(),
    at: at.toISOString(),
    actor,
    actor_id: document.actor_id ?? null,
    action,
    entity: document.entity ?? null,
    entity_id: document.entity_id ?? null,
    request_id: document.request_id ?? null,
    address: document.address ?? null,
    details: state === 'done' ? known : { ...known, outcome: 'unknown' },
  }
}

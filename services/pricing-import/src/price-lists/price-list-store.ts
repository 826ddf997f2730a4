import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { DocumentLeases } from '@partsbus/platform/mongo/document-leases'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { matchRevisions } from '@partsbus/platform/mongo/match-revisions'
import { type Collection, Db } from 'mongodb'
import { escapeRegExp } from './escape-reg-exp.js'
import { type PriceListDocument, toRecord } from './price-list-document.js'
import type { Creation, KeptVersion, PriceListRecord } from './price-list-record.js'

/** Lists that one look for work tries to take. */
const MAX_CANDIDATES = 20

export interface ListFilter {
  /** a part of the name */
  q?: string | undefined
  storage_id?: number | undefined
  is_active?: boolean | undefined
}

type Editable = Pick<
  PriceListRecord,
  | 'name'
  | 'storage_id'
  | 'is_active'
  | 'mode'
  | 'markup_percent'
  | 'min_rows_ratio'
  | 'delivery_days'
  | 'format'
  | 'sources'
>

@Injectable()
export class PriceListStore implements OnModuleInit {
  private readonly lists: Collection<PriceListDocument>
  private readonly leases: DocumentLeases<PriceListDocument>

  constructor(
    private readonly db: Db,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.lists = db.collection('price_lists')
    this.leases = new DocumentLeases(this.lists, { owner: 'lease_owner', until: 'lease_until' })
  }

  async onModuleInit(): Promise<void> {
    // FerretDB refuses its clock in a filter while the collection is not there, and when it has a second index; lists
    // are few
    await this.db.createCollection('price_lists').catch(() => undefined)
    // of an earlier version of the service
    await this.lists.updateMany({ superseded_through: { $exists: false } }, { $set: { superseded_through: 0 } })
  }

  /** The time by the database's clock, which all replicas share. */
  now(): Promise<Date> {
    return databaseNow(this.db)
  }

  /** By id. Lists are few. */
  async list({ q, storage_id, is_active }: ListFilter): Promise<PriceListRecord[]> {
    const filter = {
      deleted: false,
      ...(q !== undefined && { name: { $regex: escapeRegExp(q), $options: 'i' } }),
      ...(storage_id !== undefined && { storage_id }),
      ...(is_active !== undefined && { is_active }),
    }
    return (await this.lists.find(filter).sort({ _id: 1 }).toArray()).map(toRecord)
  }

  /** All lists, by `id`: a shop has some hundreds. */
  async listAll(): Promise<PriceListRecord[]> {
    return (await this.lists.find({ deleted: false }).sort({ _id: 1 }).toArray()).map(toRecord)
  }

  async find(id: number): Promise<PriceListRecord | undefined> {
    const found = await this.lists.findOne({ _id: id, deleted: false })
    return found ? toRecord(found) : undefined
  }

  /** The live version of each of these lists. */
  async activeVersions(ids: number[]): Promise<Map<number, Pick<KeptVersion, 'version' | 'rows' | 'merged'>>> {
    const found = await this.lists
      .find({ _id: { $in: [...new Set(ids)] }, active_version: { $gt: 0 } })
      .project<Pick<PriceListDocument, '_id' | 'active_version' | 'versions'>>({ active_version: 1, versions: 1 })
      .toArray()
    return new Map(
      found.map(({ _id, active_version, versions }) => [
        _id,
        versions.find(({ version }) => version === active_version) ?? { version: active_version, rows: 0 },
      ]),
    )
  }

  async ofStorage(storageId: number): Promise<Array<{ id: number; name: string }>> {
    const found = await this.lists
      .find({ storage_id: storageId, deleted: false })
      .sort({ _id: 1 })
      .project<{ _id: number; name: string }>({ name: 1 })
      .toArray()
    return found.map(({ _id, name }) => ({ id: _id, name }))
  }

  /** Whether another list names the storage, one that is being created included: any, or one that was created later. */
  async namesStorage(
    storageId: number,
    { besides, after = 0 }: { besides?: number; after?: number },
  ): Promise<boolean> {
    const _id = besides === undefined ? { $gt: after } : { $ne: besides }
    return (await this.lists.findOne({ _id, storage_id: storageId, deleting: { $ne: true } })) !== null
  }

  /** Lists with a source that is switched on. */
  async withSources(): Promise<PriceListRecord[]> {
    return (await this.lists.find({ deleted: false, 'sources.is_active': true }).sort({ _id: 1 }).toArray()).map(
      toRecord,
    )
  }

  /** @param creation of a list that stays hidden until it is completed */
  async insert(id: number, fields: Editable, creation?: Creation): Promise<void> {
    const never = new Date(0)
    const hidden = creation && { creation, hidden_at: await this.now() }
    await this.lists.insertOne({
      _id: id,
      ...fields,
      revision: 1,
      sources_rev: 0,
      active_version: 0,
      highest_live: 0,
      superseded_through: 0,
      versions: [],
      removed: [],
      deleted: hidden !== undefined,
      ...hidden,
      lease_owner: '',
      lease_until: never,
      lease_taken: never,
    })
  }

  /** Makes a created list visible. @returns false when its creation was taken back meanwhile */
  async complete(id: number): Promise<boolean> {
    const completed = await this.lists.updateOne(
      { _id: id, creation: { $exists: true }, deleting: { $ne: true } },
      { $set: { deleted: false }, $unset: { creation: '', hidden_at: '' } },
    )
    return completed.matchedCount === 1
  }

  /**
   * @param planned sources, and the revision they were planned on
   * @param accepted revisions of the list
   * @returns false when the list is gone, its revision is not accepted, or its sources changed since
   */
  async patch(
    id: number,
    fields: Partial<Omit<Editable, 'sources'>>,
    planned: Pick<PriceListRecord, 'sources' | 'sources_rev'> | undefined,
    accepted: readonly number[] | undefined,
  ): Promise<boolean> {
    if (Object.keys(fields).length === 0 && !planned) return (await this.find(id)) !== undefined
    const filter = {
      _id: id,
      deleted: false,
      ...matchRevisions(accepted),
      ...(planned && { sources_rev: planned.sources_rev }),
    }
    const update = {
      $inc: { revision: 1 },
      $set: { ...fields, ...(planned && { sources: planned.sources, sources_rev: planned.sources_rev + 1 }) },
    }
    const patched = await this.lists.updateOne(filter, update)
    await publishInvalidation(this.bus, changes.liveVersions)
    return patched.matchedCount === 1
  }

  /**
   * Stores the state of a source after a run.
   * @param seen the list as it was read
   * @returns false when its sources have changed since; the caller reads the list again
   */
  async updateSourceState(
    seen: PriceListRecord,
    sourceId: number,
    state: PriceListRecord['sources'][number]['state'],
  ): Promise<boolean> {
    const updated = await this.lists.updateOne(
      { _id: seen.id, sources_rev: seen.sources_rev, 'sources.id': sourceId },
      { $set: { 'sources.$.state': state, sources_rev: seen.sources_rev + 1 } },
    )
    return updated.matchedCount === 1
  }

  /** Hides a list of which no import runs. @returns false when one does, or the revision is not accepted */
  async hide(id: number, accepted?: readonly number[]): Promise<boolean> {
    const hidden = await this.lists.updateOne(
      { _id: id, deleted: false, ...matchRevisions(accepted), ...this.leases.isFree },
      { $set: { deleted: true }, $currentDate: { hidden_at: true } },
    )
    await publishInvalidation(this.bus, changes.liveVersions)
    return hidden.matchedCount === 1
  }

  /** Makes a hidden list visible again, unless its data is being deleted. */
  async show(id: number): Promise<void> {
    await this.lists.updateOne({ _id: id, deleting: { $ne: true } }, { $set: { deleted: false } })
    await publishInvalidation(this.bus, changes.liveVersions)
  }

  /** Whether the list is hidden by a deletion that has not decided yet. */
  async isUndecided(id: number): Promise<boolean> {
    return (await this.lists.findOne({ _id: id, deleted: true, deleting: { $ne: true } })) !== null
  }

  /** Commits the deletion of a hidden list. @returns it as it is then; undefined when it is visible again or gone */
  async beginDeletion(id: number): Promise<PriceListRecord | undefined> {
    const found = await this.lists.findOneAndUpdate(
      { _id: id, deleted: true },
      { $set: { deleting: true } },
      { returnDocument: 'after' },
    )
    return found ? toRecord(found) : undefined
  }

  /** Lists whose deletion is committed, and those that were hidden, or whose creation began, `undecidedMs` ago. */
  async hidden(undecidedMs: number): Promise<Array<{ id: number; isDeleting: boolean }>> {
    const limit = new Date((await databaseNow(this.db)).getTime() - undecidedMs)
    const found = await this.lists
      .find({ deleted: true })
      .project<Pick<PriceListDocument, '_id' | 'deleting' | 'hidden_at' | 'creation'>>({
        deleting: 1,
        hidden_at: 1,
        creation: 1,
      })
      .toArray()
    return found
      .filter(({ deleting, hidden_at, creation }) => (deleting && !creation) || !hidden_at || hidden_at < limit)
      .map(({ _id, deleting }) => ({ id: _id, isDeleting: deleting === true }))
  }

  async delete(id: number): Promise<void> {
    await this.lists.deleteOne({ _id: id, deleting: true })
  }

  /**
   * Takes the lease of one list, the one that waited longest first.
   * @returns the list, or undefined when others hold the leases of all
   */
  async acquireLease(ids: number[], owner: string, leaseMs: number): Promise<PriceListRecord | undefined> {
    // only free ones: busy lists must not cost every idle worker a failing update each second
    const inTurn = await this.lists
      .find({ _id: { $in: ids }, deleted: false, ...this.leases.isFree })
      .sort({ lease_taken: 1, _id: 1 })
      .limit(MAX_CANDIDATES)
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    for (const { _id } of inTurn) {
      const taken = await this.leases.acquire({ _id, deleted: false }, owner, leaseMs, { lease_taken: '$$NOW' })
      if (taken) return toRecord(taken)
    }
    return undefined
  }

  /** @returns whether the lease is still the owner's, also when it has expired and no other worker acquired it */
  renewLease(id: number, owner: string, leaseMs: number): Promise<boolean> {
    return this.leases.renew(id, owner, leaseMs)
  }

  releaseLease(id: number, owner: string): Promise<void> {
    return this.leases.release(id, owner)
  }
}

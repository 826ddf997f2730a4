import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Collection, Db } from 'mongodb'
import { KEPT_VERSIONS, type KeptVersion, type PriceListRecord } from './price-list-record.js'

/*
 * One document a list. Its lease lets one import of the list run at a time: free (`lease_until` passed) → taken → renewed …
 * → freed, or free again by itself. It is compared with the database's clock. A list that is being deleted has `deleted` set
 * and is no longer seen by anyone but the one who deletes it.
 */
interface PriceListDocument extends Omit<PriceListRecord, 'id'> {
  _id: number
  deleted: boolean
  lease_owner: string
  lease_until: Date
  /** when an import of it was last begun, so that lists take turns */
  lease_taken: Date
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

export class PriceListStore {
  private readonly db: Db
  private readonly lists: Collection<PriceListDocument>
  private readonly liveChanged: () => Promise<void>

  /** @param liveChanged is waited for after each change of which versions are live */
  constructor(db: Db, liveChanged: () => Promise<void>) {
    this.db = db
    this.lists = db.collection('price_lists')
    this.liveChanged = liveChanged
  }

  async prepare(): Promise<void> {
    // FerretDB refuses its clock in a filter while the collection is not there, and when it has a second index; lists are few
    await this.db.createCollection('price_lists').catch(() => undefined)
  }

  async list({ page, per_page }: PageRequest): Promise<Page<PriceListRecord>> {
    const [rows, total] = await Promise.all([
      this.lists
        .find({ deleted: false })
        .sort({ _id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.lists.countDocuments({ deleted: false }),
    ])
    return { data: rows.map(toRecord), total, page, per_page }
  }

  async find(id: number): Promise<PriceListRecord | undefined> {
    const found = await this.lists.findOne({ _id: id, deleted: false })
    return found ? toRecord(found) : undefined
  }

  async ofStorage(storageId: number): Promise<Array<{ id: number; name: string }>> {
    const found = await this.lists
      .find({ storage_id: storageId, deleted: false })
      .sort({ _id: 1 })
      .project<{ _id: number; name: string }>({ name: 1 })
      .toArray()
    return found.map(({ _id, name }) => ({ id: _id, name }))
  }

  /** Lists with a source that is switched on. */
  async withSources(): Promise<PriceListRecord[]> {
    return (await this.lists.find({ deleted: false, 'sources.is_active': true }).sort({ _id: 1 }).toArray()).map(
      toRecord,
    )
  }

  async insert(id: number, fields: Editable): Promise<void> {
    const never = new Date(0)
    await this.lists.insertOne({
      _id: id,
      ...fields,
      sources_rev: 0,
      active_version: 0,
      highest_live: 0,
      versions: [],
      removed: [],
      deleted: false,
      lease_owner: '',
      lease_until: never,
      lease_taken: never,
    })
  }

  /**
   * @param planned sources, and the revision they were planned on
   * @returns false when the list is gone, or its sources changed since
   */
  async patch(
    id: number,
    fields: Partial<Omit<Editable, 'sources'>>,
    planned?: Pick<PriceListRecord, 'sources' | 'sources_rev'>,
  ): Promise<boolean> {
    if (Object.keys(fields).length === 0 && !planned) return (await this.find(id)) !== undefined
    const filter = { _id: id, deleted: false, ...(planned && { sources_rev: planned.sources_rev }) }
    const update = {
      $set: { ...fields, ...(planned && { sources: planned.sources, sources_rev: planned.sources_rev + 1 }) },
    }
    const patched = await this.lists.updateOne(filter, update)
    await this.liveChanged()
    return patched.matchedCount === 1
  }

  /**
   * Notes what a run of a source gave.
   * @param seen the list as the run began with it
   * @returns false when its sources changed since: the caller looks again whether the note still fits
   */
  async noteRun(
    seen: PriceListRecord,
    sourceId: number,
    state: PriceListRecord['sources'][number]['state'],
  ): Promise<boolean> {
    const noted = await this.lists.updateOne(
      { _id: seen.id, sources_rev: seen.sources_rev, 'sources.id': sourceId },
      { $set: { 'sources.$.state': state, sources_rev: seen.sources_rev + 1 } },
    )
    return noted.matchedCount === 1
  }

  /** Hides a list of which no import runs. @returns false when one does */
  async hide(id: number): Promise<boolean> {
    const hidden = await this.lists.updateOne(
      { _id: id, deleted: false, $expr: { $lt: ['$lease_until', '$$NOW'] } },
      { $set: { deleted: true } },
    )
    await this.liveChanged()
    return hidden.matchedCount === 1
  }

  async show(id: number): Promise<void> {
    await this.lists.updateOne({ _id: id }, { $set: { deleted: false } })
    await this.liveChanged()
  }

  /** Lists whose deletion was begun. */
  async hidden(): Promise<PriceListRecord[]> {
    return (await this.lists.find({ deleted: true }).toArray()).map(toRecord)
  }

  async delete(id: number): Promise<void> {
    await this.lists.deleteOne({ _id: id, deleted: true })
  }

  /** Takes the lease of one list, the one that waited longest first. @returns the list, or undefined when all are taken */
  async takeOne(ids: number[], owner: string, leaseMs: number): Promise<PriceListRecord | undefined> {
    const inTurn = await this.lists
      .find({ _id: { $in: ids }, deleted: false })
      .project<{ _id: number; lease_taken: Date }>({ lease_taken: 1 })
      .toArray()
    inTurn.sort((one, other) => one.lease_taken.getTime() - other.lease_taken.getTime() || one._id - other._id)
    for (const { _id } of inTurn) {
      const taken = await this.lists.findOneAndUpdate(
        { _id, deleted: false, $expr: { $lt: ['$lease_until', '$$NOW'] } },
        [
          {
            $set: { lease_owner: { $literal: owner }, lease_until: { $add: ['$$NOW', leaseMs] }, lease_taken: '$$NOW' },
          },
        ],
        { returnDocument: 'after' },
      )
      if (taken) return toRecord(taken)
    }
    return undefined
  }

  /** @returns whether the lease is still the owner's, also when its time was over and nobody took it */
  async renew(id: number, owner: string, leaseMs: number): Promise<boolean> {
    const renewed = await this.lists.updateOne({ _id: id, lease_owner: owner }, [
      { $set: { lease_until: { $add: ['$$NOW', leaseMs] } } },
    ])
    return renewed.matchedCount === 1
  }

  async free(id: number, owner: string): Promise<void> {
    await this.lists.updateOne({ _id: id, lease_owner: owner }, { $set: { lease_owner: '', lease_until: new Date(0) } })
  }

  /**
   * Makes a version live, in one update (rules.md#switch).
   * @param seen the list as the caller judged it; false when it changed since, or the lease is lost
   */
  async goLive(seen: PriceListRecord, owner: string, fresh: KeptVersion): Promise<boolean> {
    const ordered = [fresh, ...seen.versions].sort((one, other) => other.version - one.version)
    const dropped = ordered.slice(KEPT_VERSIONS).map(({ version }) => ({ version, at: new Date() }))
    const switched = await this.lists.updateOne(
      {
        _id: seen.id,
        lease_owner: owner,
        deleted: false,
        active_version: seen.active_version,
        highest_live: { $eq: seen.highest_live, $lt: fresh.version },
      },
      {
        $set: { active_version: fresh.version, highest_live: fresh.version, versions: ordered.slice(0, KEPT_VERSIONS) },
        $push: { removed: { $each: dropped } },
      },
    )
    await this.liveChanged()
    return switched.matchedCount === 1
  }

  /** Moves the active version alone. @returns false when that version is no longer kept */
  async rollBack(id: number, version: number): Promise<boolean> {
    const moved = await this.lists.updateOne(
      { _id: id, deleted: false, 'versions.version': version },
      { $set: { active_version: version } },
    )
    await this.liveChanged()
    return moved.matchedCount === 1
  }

  /** Notes that the rows of a version which is not live are to be deleted. */
  async remove(id: number, version: number): Promise<void> {
    await this.lists.updateOne(
      { _id: id, 'versions.version': { $ne: version }, 'removed.version': { $ne: version } },
      { $push: { removed: { version, at: new Date() } } },
    )
  }

  /** Removals that are older than `ms`. */
  async removedBefore(ms: number): Promise<Array<{ list: number; version: number; at: Date }>> {
    const limit = new Date(Date.now() - ms)
    const found = await this.lists
      .find({ 'removed.at': { $lt: limit } })
      .project<{ _id: number; removed: PriceListRecord['removed'] }>({ removed: 1 })
      .toArray()
    return found.flatMap(({ _id, removed }) =>
      removed.filter(({ at }) => at < limit).map(({ version, at }) => ({ list: _id, version, at })),
    )
  }

  async forgetRemoved(id: number, version: number): Promise<void> {
    await this.lists.updateOne({ _id: id }, { $pull: { removed: { version } } })
  }

  /** The live version of each active list of these storages. */
  async liveVersions(storageIds: number[]): Promise<Array<{ storage_id: number; version: number }>> {
    const found = await this.lists
      .find({ storage_id: { $in: storageIds }, is_active: true, deleted: false, active_version: { $gt: 0 } })
      .project<{ storage_id: number; active_version: number }>({ storage_id: 1, active_version: 1 })
      .toArray()
    return found.map(({ storage_id, active_version }) => ({ storage_id, version: active_version }))
  }
}

function toRecord({
  _id,
  deleted: _deleted,
  lease_owner: _owner,
  lease_until: _until,
  lease_taken: _taken,
  ...record
}: PriceListDocument): PriceListRecord {
  return { id: _id, ...record }
}

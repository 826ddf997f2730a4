import { Inject, Injectable } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { DatabaseClock, databaseNow } from '@partsbus/platform/mongo/clock'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { type Collection, Db } from 'mongodb'
import { KEPT_VERSIONS, type KeptVersion, type PriceListRecord } from '../price-lists/price-list-record.js'
import type { PriceListDocument } from '../price-lists/price-list-document.js'
import { liveOrder, numberVersions, rollBackTo } from './live-order.js'

/*
 * Versions of lists, kept in the documents of the lists, so that a switch is one update. A version: its rows are
 * written → live (active, or kept for a rollback) → `removed` → its rows are deleted. One that never goes live is
 * `removed` when its task has ended. What is in `removed` never goes live.
 */
@Injectable()
export class VersionStore {
  private readonly lists: Collection<PriceListDocument>
  private readonly clock: DatabaseClock

  constructor(
    private readonly db: Db,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.lists = db.collection('price_lists')
    this.clock = new DatabaseClock(db)
  }

  /**
   * Makes a version live, in one update (rules.md#switch).
   * @param seen the list as the caller judged it
   * @param isReplacement no older upload may go live after it
   * @returns false when the list changed since, the lease is lost, or the version's rows are to be deleted
   */
  async goLive(
    seen: PriceListRecord,
    owner: string,
    version: Omit<KeptVersion, 'created_at' | 'number'>,
    isReplacement: boolean,
  ): Promise<boolean> {
    // the version that was published last is always among them, so no number is given twice
    const kept = numberVersions(liveOrder(seen))
    const number = Math.max(0, ...kept.map((each) => each.number)) + 1
    const fresh = { ...version, number, created_at: await this.clock.now() }
    // by when they were live, so that the version that it replaces stays
    const ordered = [fresh, ...kept]
    const dropped = ordered.slice(KEPT_VERSIONS).map(({ version }) => ({ version, at: fresh.created_at }))
    const switched = await this.lists.updateOne(
      {
        _id: seen.id,
        lease_owner: owner,
        deleted: false,
        active_version: seen.active_version,
        highest_live: seen.highest_live,
        superseded_through: { $eq: seen.superseded_through, $lt: fresh.version },
        'removed.version': { $ne: fresh.version },
      },
      {
        $set: {
          active_version: fresh.version,
          active_since: fresh.created_at,
          versions: ordered.slice(0, KEPT_VERSIONS),
          ...(isReplacement && { superseded_through: fresh.version }),
        },
        $max: { highest_live: fresh.version },
        $push: { removed: { $each: dropped } },
      },
    )
    await publishInvalidation(this.bus, changes.liveVersions)
    return switched.matchedCount === 1
  }

  /**
   * Moves the active version, and keeps every upload up to the task `through` from going live after it.
   * @param seen the list as the caller judged it, with that version
   * @returns false when another version became active since
   */
  async rollBack(seen: PriceListRecord, version: number, through: number): Promise<boolean> {
    const { id, active_version, active_since = { $exists: false } } = seen
    const moved = await this.lists.updateOne(
      { _id: id, deleted: false, active_version, active_since },
      {
        $set: { active_version: version, versions: rollBackTo(version, seen) },
        $max: { superseded_through: through },
        $currentDate: { active_since: true },
      },
    )
    await publishInvalidation(this.bus, changes.liveVersions)
    return moved.matchedCount === 1
  }

  /**
   * Schedules the rows of a version for deletion. Only for a task that has ended: one that is open might still go live.
   */
  async remove(id: number, version: number): Promise<void> {
    const at = await databaseNow(this.db)
    await this.lists.updateOne(
      { _id: id, 'versions.version': { $ne: version }, 'removed.version': { $ne: version } },
      { $push: { removed: { version, at } } },
    )
  }

  /** Versions that were removed `ms` ago, without those that are listed all the same: their rows stay. */
  async removedFor(ms: number): Promise<Array<{ list: number; version: number; removedForMs: number }>> {
    const now = (await databaseNow(this.db)).getTime()
    const limit = new Date(now - ms)
    const found = await this.lists
      .find({ 'removed.at': { $lt: limit } })
      .project<Pick<PriceListDocument, '_id' | 'removed' | 'versions' | 'active_version'>>({
        removed: 1,
        versions: 1,
        active_version: 1,
      })
      .toArray()
    return found.flatMap(({ _id, removed, versions, active_version }) => {
      const kept = new Set([active_version, ...versions.map(({ version }) => version)])
      return removed
        .filter(({ version, at }) => at < limit && !kept.has(version))
        .map(({ version, at }) => ({ list: _id, version, removedForMs: now - at.getTime() }))
    })
  }

  /** The highest ids that lists and versions carry. */
  async highestIds(): Promise<{ list: number; version: number }> {
    const [found] = await this.lists
      .aggregate<{ list: number; version: number }>([
        {
          $group: { _id: null, list: { $max: '$_id' }, version: { $max: '$highest_live' } },
        },
      ])
      .toArray()
    return { list: found?.list ?? 0, version: found?.version ?? 0 }
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

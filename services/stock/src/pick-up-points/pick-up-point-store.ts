import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Revised } from '@partsbus/contracts/revision'
import type { PickUpPoint } from '@partsbus/contracts/stock/pick-up-point'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { containsText, searchedText } from '@partsbus/platform/mongo/contains-text'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { deleteRevised } from '@partsbus/platform/mongo/delete-revised'
import { matchRevisions } from '@partsbus/platform/mongo/match-revisions'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { type Collection, Db } from 'mongodb'

interface PickUpPointDocument extends Omit<PickUpPoint, 'id'> {
  _id: number
  /** absent in points that were written before it was introduced */
  revision?: number
}

@Injectable()
export class PickUpPointStore implements OnModuleInit {
  private readonly points: Collection<PickUpPointDocument>

  constructor(
    db: Db,
    private readonly counters: CounterStore,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.points = db.collection('pick_up_points')
  }

  async onModuleInit(): Promise<void> {
    await ensureIndexes(this.points, [{ name: 'storage_ids', key: { storage_ids: 1 } }])
    await this.counters.startAbove('pick_up_points', () => highestId(this.points))
  }

  list({ q, ...request }: PageRequest & { q?: string | undefined }): Promise<Page<PickUpPoint>> {
    const text = searchedText(q)
    const fields = ['name', 'city', 'address']
    const filter = text === undefined ? {} : { $or: fields.map((field) => ({ [field]: containsText(text) })) }
    return findPage(this.points, filter, { _id: 1 }, request, (row) => withoutRevision(toPickUpPoint(row)))
  }

  count(): Promise<number> {
    return this.points.countDocuments()
  }

  /** Names of all points, by `id`. */
  async listNames(): Promise<Array<Pick<PickUpPoint, 'id' | 'name' | 'is_active'>>> {
    const points = await this.points
      .find()
      .sort({ _id: 1 })
      .project<Pick<PickUpPointDocument, '_id' | 'name' | 'is_active'>>({ name: 1, is_active: 1 })
      .toArray()
    return points.map(({ _id, name, is_active }) => ({ id: _id, name, is_active }))
  }

  async get(id: number): Promise<Revised<PickUpPoint> | undefined> {
    const found = await this.points.findOne({ _id: id })
    return found ? toPickUpPoint(found) : undefined
  }

  /** The active points, by `id`. */
  async listActive(): Promise<PickUpPoint[]> {
    return (await this.points.find({ is_active: true }).sort({ _id: 1 }).toArray()).map(toPickUpPoint)
  }

  /** Ids of the storages that are linked to the active ones of the given points. */
  async storageIdsOfActive(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return []
    const points = await this.points
      .find({ _id: { $in: [...ids] }, is_active: true })
      .project<Pick<PickUpPoint, 'storage_ids'>>({ _id: 0, storage_ids: 1 })
      .toArray()
    return [...new Set(points.flatMap((point) => point.storage_ids))]
  }

  async insert(fields: Omit<PickUpPoint, 'id'>): Promise<Revised<PickUpPoint>> {
    const id = await this.counters.allocate('pick_up_points', 1)
    await this.points.insertOne({ _id: id, ...fields, revision: 1 })
    await this.invalidate()
    return { id, ...fields, revision: 1 }
  }

  /** @returns undefined when the point is gone, or its revision is not accepted */
  async patch(
    id: number,
    fields: Partial<Omit<PickUpPoint, 'id'>>,
    accepted?: readonly number[],
  ): Promise<Revised<PickUpPoint> | undefined> {
    const filter = { _id: id, ...matchRevisions(accepted) }
    if (Object.keys(fields).length === 0) {
      const same = await this.points.findOne(filter)
      return same ? toPickUpPoint(same) : undefined
    }
    const update = { $set: fields, $inc: { revision: 1 } }
    const found = await this.points.findOneAndUpdate(filter, update, { returnDocument: 'after' })
    await this.invalidate()
    return found ? toPickUpPoint(found) : undefined
  }

  /** @returns false when the point is gone, or its revision is not accepted */
  async delete(id: number, accepted?: readonly number[]): Promise<boolean> {
    const isDeleted = await deleteRevised(this.points, id, accepted)
    await this.invalidate()
    return isDeleted
  }

  /** Points that a storage delivers to: the first one and their number. */
  async linkedTo(storageId: number): Promise<{ first: PickUpPoint; count: number } | undefined> {
    const first = await this.points.findOne({ storage_ids: storageId }, { sort: { _id: 1 } })
    return first
      ? { first: toPickUpPoint(first), count: await this.points.countDocuments({ storage_ids: storageId }) }
      : undefined
  }

  private invalidate(): Promise<void> {
    return publishInvalidation(this.bus, changes.storages)
  }
}

function toPickUpPoint({ _id, ...point }: PickUpPointDocument): Revised<PickUpPoint> {
  return { id: _id, revision: 0, ...point }
}

function withoutRevision({ revision: _, ...point }: Revised<PickUpPoint>): PickUpPoint {
  return point
}

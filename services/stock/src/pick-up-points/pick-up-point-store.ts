import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { PickUpPoint } from '@partsbus/contracts/pick-up-point'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Collection } from 'mongodb'

interface PickUpPointDocument extends Omit<PickUpPoint, 'id'> {
  _id: number
}

export class PickUpPointStore {
  private readonly points: Collection<PickUpPointDocument>
  private readonly counters: CounterStore
  private readonly changed: () => Promise<void>

  /** @param changed is waited for after each change */
  constructor(points: Collection<PickUpPointDocument>, counters: CounterStore, changed: () => Promise<void>) {
    this.points = points
    this.counters = counters
    this.changed = changed
  }

  prepare(): Promise<void> {
    return ensureIndexes(this.points, [{ name: 'storage_ids', key: { storage_ids: 1 } }])
  }

  async list({ page, per_page }: PageRequest): Promise<Page<PickUpPoint>> {
    const [rows, total] = await Promise.all([
      this.points
        .find()
        .sort({ _id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.points.countDocuments(),
    ])
    return { data: rows.map(toPoint), total, page, per_page }
  }

  async find(id: number): Promise<PickUpPoint | undefined> {
    const found = await this.points.findOne({ _id: id })
    return found ? toPoint(found) : undefined
  }

  /** All active points, by `id`. */
  async active(): Promise<PickUpPoint[]> {
    return (await this.points.find({ is_active: true }).sort({ _id: 1 }).toArray()).map(toPoint)
  }

  /** Storages linked to those of the given points that are active. */
  async storagesOfActive(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return []
    const points = await this.points
      .find({ _id: { $in: [...ids] }, is_active: true })
      .project<Pick<PickUpPoint, 'storage_ids'>>({ _id: 0, storage_ids: 1 })
      .toArray()
    return [...new Set(points.flatMap((point) => point.storage_ids))]
  }

  async insert(point: Omit<PickUpPoint, 'id'>): Promise<PickUpPoint> {
    return this.restore({ id: await this.counters.allocate('pick_up_points', 1), ...point })
  }

  /** Puts a point in under the id it has. */
  async restore(point: PickUpPoint): Promise<PickUpPoint> {
    const { id, ...fields } = point
    await this.points.insertOne({ _id: id, ...fields })
    await this.changed()
    return point
  }

  /** @returns undefined when there is no such point */
  async patch(id: number, fields: Partial<Omit<PickUpPoint, 'id'>>): Promise<PickUpPoint | undefined> {
    if (Object.keys(fields).length === 0) return this.find(id)
    const found = await this.points.findOneAndUpdate({ _id: id }, { $set: fields }, { returnDocument: 'after' })
    await this.changed()
    return found ? toPoint(found) : undefined
  }

  async delete(id: number): Promise<void> {
    await this.points.deleteOne({ _id: id })
    await this.changed()
  }

  /** Points that a storage delivers to: the first one, and how many there are. */
  async usersOf(storageId: number): Promise<{ first: PickUpPoint; count: number } | undefined> {
    const first = await this.points.findOne({ storage_ids: storageId }, { sort: { _id: 1 } })
    return first
      ? { first: toPoint(first), count: await this.points.countDocuments({ storage_ids: storageId }) }
      : undefined
  }
}

function toPoint({ _id, ...point }: PickUpPointDocument): PickUpPoint {
  return { id: _id, ...point }
}

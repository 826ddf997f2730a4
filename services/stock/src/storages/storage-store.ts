import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { Collection } from 'mongodb'
import type { StoredStorage } from './storage.js'

interface StorageDocument extends Omit<StoredStorage, 'id'> {
  _id: number
}

export class StorageStore {
  private readonly storages: Collection<StorageDocument>
  private readonly counters: CounterStore
  private readonly changed: () => Promise<void>

  /** @param changed is waited for after each change */
  constructor(storages: Collection<StorageDocument>, counters: CounterStore, changed: () => Promise<void>) {
    this.storages = storages
    this.counters = counters
    this.changed = changed
  }

  async list({ page, per_page }: PageRequest): Promise<Page<StoredStorage>> {
    const [rows, total] = await Promise.all([
      this.storages
        .find()
        .sort({ _id: 1 })
        .skip((page - 1) * per_page)
        .limit(per_page)
        .toArray(),
      this.storages.countDocuments(),
    ])
    return { data: rows.map(toStorage), total, page, per_page }
  }

  async find(id: number): Promise<StoredStorage | undefined> {
    const found = await this.storages.findOne({ _id: id })
    return found ? toStorage(found) : undefined
  }

  /** The active ones among the given ids, or all of them, by `id`. */
  async among(ids: readonly number[], { includeInactive }: { includeInactive: boolean }): Promise<StoredStorage[]> {
    if (ids.length === 0) return []
    const rows = await this.storages
      .find({ _id: { $in: [...ids] }, ...(!includeInactive && { is_active: true }) })
      .sort({ _id: 1 })
      .toArray()
    return rows.map(toStorage)
  }

  /** Those of the given ids that are there. */
  async existing(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set()
    const found = await this.storages
      .find({ _id: { $in: [...ids] } })
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  async insert(storage: Omit<StoredStorage, 'id'>): Promise<StoredStorage> {
    return this.restore({ id: await this.counters.allocate('storages', 1), ...storage })
  }

  /** Puts a storage in under the id it has. */
  async restore(storage: StoredStorage): Promise<StoredStorage> {
    const { id, ...fields } = storage
    await this.storages.insertOne({ _id: id, ...fields })
    await this.changed()
    return storage
  }

  async replace({ id, ...fields }: StoredStorage): Promise<void> {
    await this.storages.replaceOne({ _id: id }, fields)
    await this.changed()
  }

  async delete(id: number): Promise<void> {
    await this.storages.deleteOne({ _id: id })
    await this.changed()
  }
}

function toStorage({ _id, ...storage }: StorageDocument): StoredStorage {
  return { id: _id, ...storage }
}

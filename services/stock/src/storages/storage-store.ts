import { Inject, Injectable } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Storage } from '@partsbus/contracts/storage'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { type Collection, Db } from 'mongodb'
import type { SupplierRecord } from './supplier-record.js'

/** A storage whose supplier has sealed header values. */
export interface StoredStorage extends Omit<Storage, 'supplier'> {
  supplier: SupplierRecord
}

interface StorageDocument extends Omit<StoredStorage, 'id'> {
  _id: number
}

@Injectable()
export class StorageStore {
  private readonly storages: Collection<StorageDocument>

  constructor(
    db: Db,
    private readonly counters: CounterStore,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.storages = db.collection('storages')
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

  async get(id: number): Promise<StoredStorage | undefined> {
    const found = await this.storages.findOne({ _id: id })
    return found ? toStorage(found) : undefined
  }

  /** The storages with these ids, by `id`; only the active ones unless `includeInactive`. */
  async getMany(ids: readonly number[], { includeInactive }: { includeInactive: boolean }): Promise<StoredStorage[]> {
    if (ids.length === 0) return []
    const rows = await this.storages
      .find({ _id: { $in: [...ids] }, ...(!includeInactive && { is_active: true }) })
      .sort({ _id: 1 })
      .toArray()
    return rows.map(toStorage)
  }

  /** The given ids that exist. */
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

  /** Inserts a storage under the id it has. */
  async restore(storage: StoredStorage): Promise<StoredStorage> {
    const { id, ...fields } = storage
    await this.storages.insertOne({ _id: id, ...fields })
    await this.invalidate()
    return storage
  }

  async replace({ id, ...fields }: StoredStorage): Promise<void> {
    await this.storages.replaceOne({ _id: id }, fields)
    await this.invalidate()
  }

  async delete(id: number): Promise<void> {
    await this.storages.deleteOne({ _id: id })
    await this.invalidate()
  }

  private invalidate(): Promise<void> {
    return publishInvalidation(this.bus, changes.storages)
  }
}

function toStorage({ _id, ...storage }: StorageDocument): StoredStorage {
  return { id: _id, ...storage }
}

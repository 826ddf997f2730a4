import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { changes } from '@partsbus/contracts/cache-invalidation'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { Storage } from '@partsbus/contracts/stock/storage'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { containsText, searchedText } from '@partsbus/platform/mongo/contains-text'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { findPage } from '@partsbus/platform/mongo/find-page'
import { deleteRevised } from '@partsbus/platform/mongo/delete-revised'
import { matchRevisions } from '@partsbus/platform/mongo/match-revisions'
import { highestId } from '@partsbus/platform/mongo/highest-id'
import { BUS } from '@partsbus/platform/process/injection-tokens'
import { type Collection, Db } from 'mongodb'
import type { SupplierRecord } from './supplier-record.js'

/** A storage whose supplier has sealed header values. */
export interface StoredStorage extends Omit<Storage, 'supplier'> {
  supplier: SupplierRecord
  revision: number
}

interface StorageDocument extends Omit<StoredStorage, 'id' | 'revision'> {
  _id: number
  /** absent in storages that were written before it was introduced */
  revision?: number
}

@Injectable()
export class StorageStore implements OnModuleInit {
  private readonly storages: Collection<StorageDocument>

  constructor(
    db: Db,
    private readonly counters: CounterStore,
    @Inject(BUS) private readonly bus: BusConnection,
  ) {
    this.storages = db.collection('storages')
  }

  async onModuleInit(): Promise<void> {
    await this.counters.startAbove('storages', () => highestId(this.storages))
  }

  list({ q, ...request }: PageRequest & { q?: string | undefined }): Promise<Page<StoredStorage>> {
    const text = searchedText(q)
    const filter = text === undefined ? {} : { name: containsText(text) }
    return findPage(this.storages, filter, { _id: 1 }, request, toStorage)
  }

  /** All storages, by `id`: a shop has some dozens. */
  async listAll(): Promise<StoredStorage[]> {
    return (await this.storages.find().sort({ _id: 1 }).toArray()).map(toStorage)
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

  /** Ids of the storages with sealed header values. */
  async listSealed(): Promise<Array<{ id: number }>> {
    const rows = this.storages.find({ 'supplier.headers.0': { $exists: true } }).project<{ _id: number }>({ _id: 1 })
    return (await rows.toArray()).map(({ _id }) => ({ id: _id }))
  }

  /** Those of the ids that exist. */
  async existing(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set()
    const found = await this.storages
      .find({ _id: { $in: [...ids] } })
      .project<{ _id: number }>({ _id: 1 })
      .toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  allocateId(): Promise<number> {
    return this.counters.allocate('storages', 1)
  }

  async insert({ id, ...fields }: StoredStorage): Promise<void> {
    await this.storages.insertOne({ _id: id, ...fields })
    await this.invalidate()
  }

  /** @returns false when the storage is gone, or another change has raised its revision since it was read */
  async replace({ id, revision, ...fields }: StoredStorage): Promise<boolean> {
    const filter = { _id: id, ...matchRevisions([revision]) }
    const replaced = await this.storages.replaceOne(filter, { ...fields, revision: revision + 1 })
    await this.invalidate()
    return replaced.matchedCount === 1
  }

  /** Stores header values that were sealed again; nothing else changes. */
  async replaceSealed({ id, revision, supplier }: Pick<StoredStorage, 'id' | 'revision' | 'supplier'>): Promise<void> {
    await this.storages.updateOne({ _id: id, ...matchRevisions([revision]) }, { $set: { supplier } })
    await this.invalidate()
  }

  /** @returns false when the storage is gone, or its revision is not accepted */
  async delete(id: number, accepted?: readonly number[]): Promise<boolean> {
    const isDeleted = await deleteRevised(this.storages, id, accepted)
    await this.invalidate()
    return isDeleted
  }

  private invalidate(): Promise<void> {
    return publishInvalidation(this.bus, changes.storages)
  }
}

function toStorage({ _id, ...storage }: StorageDocument): StoredStorage {
  return { id: _id, revision: 0, ...storage }
}

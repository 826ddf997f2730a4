import { Controller, Inject } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type { PickUpPoint } from '@partsbus/contracts/stock/pick-up-point'
import * as contract from '@partsbus/contracts/stock/commands'
import * as overview from '@partsbus/contracts/stock/overview'
import { assertRevision, changedMeanwhile, type Revised } from '@partsbus/contracts/revision'
import type { Storage } from '@partsbus/contracts/stock/storage'
import { contractViolation } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { PickUpPointStore } from '../pick-up-points/pick-up-point-store.js'
import { ReferenceDataLock } from '../reference-data-lock.js'
import { SupplyUsage } from '../supplies/supply-usage.js'
import { StorageStore, type StoredStorage } from './storage-store.js'
import { revealSupplier, sealSupplier, supplierView, tryToOpenSupplier } from './supplier-record.js'

const PATCH_ATTEMPTS = 5

/** admin.md#storages */
@Controller()
export class Storages {
  constructor(
    private readonly storages: StorageStore,
    private readonly points: PickUpPointStore,
    private readonly usage: SupplyUsage,
    private readonly secrets: SecretBox,
    private readonly lock: ReferenceDataLock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Handles(contract.listStorages)
  async listStorages(call: CallOf<typeof contract.listStorages>): Promise<Page<Storage>> {
    const page = await this.storages.list(call.body)
    return { ...page, data: page.data.map((storage) => withoutRevision(storageView(storage))) }
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getStorage)
  async getStorage(call: CallOf<typeof contract.getStorage>): Promise<Revised<Storage>> {
    return storageView(orNotFound(await this.storages.get(call.body.id)))
  }

  /**
   * The default is an active storage of own stock.
   * @throws AppError CONTRACT_VIOLATION on `supplier.headers.NAME` for `"***"`, as nothing is stored yet
   */
  @Handles(contract.createStorage)
  async createStorage(call: CallOf<typeof contract.createStorage>): Promise<Revised<Storage>> {
    const { name, is_active = true, supplier = { kind: 'own-stock' } } = call.body
    const id = call.body.id ?? (await this.storages.allocateId())
    const storage = { id, name, is_active, revision: 1, supplier: sealSupplier(id, supplier, undefined, this.secrets) }
    await this.storages.insert(storage)
    return storageView(storage)
  }

  @Handles(contract.reserveStorageId)
  async reserveStorageId(): Promise<ReplyOf<typeof contract.reserveStorageId>> {
    return { id: await this.storages.allocateId() }
  }

  /**
   * Any subset of the fields; `supplier` is replaced as a whole, except for header values sent as `"***"`.
   * @throws AppError NOT_FOUND, CHANGED, or CONTRACT_VIOLATION on `supplier.headers.NAME` for `"***"` without a stored
   *   value
   */
  @Handles(contract.patchStorage)
  patchStorage(call: CallOf<typeof contract.patchStorage>): Promise<Revised<Storage>> {
    const { id, patch, if_revisions } = call.body
    return this.lock.run(call.timeLeft(), async () => {
      for (let attempt = 1; attempt <= PATCH_ATTEMPTS; attempt += 1) {
        const stored = orNotFound(await this.storages.get(id))
        assertRevision(if_revisions, storageView(stored))
        const patched = {
          id,
          revision: stored.revision,
          name: patch.name ?? stored.name,
          is_active: patch.is_active ?? stored.is_active,
          supplier: patch.supplier ? sealSupplier(id, patch.supplier, stored.supplier, this.secrets) : stored.supplier,
        }
        if (await this.storages.replace(patched)) return storageView({ ...patched, revision: patched.revision + 1 })
        // the lock had expired, and another process made a change
      }
      throw new AppError('CONFLICT', 'Others are changing this storage; try again.')
    })
  }

  /**
   * @throws AppError NOT_FOUND, CHANGED, or CONFLICT naming what refers to it
   */
  @Handles(contract.deleteStorage)
  deleteStorage(call: CallOf<typeof contract.deleteStorage>): Promise<Record<string, never>> {
    const { id, if_revisions } = call.body
    return this.lock.run(call.timeLeft(), async () => {
      assertRevision(if_revisions, storageView(orNotFound(await this.storages.get(id))))
      const points = await this.points.linkedTo(id)
      if (points) throw storageInUse(id, describePoints(points), pointReferrer(points.first))
      const supplies = await this.usage.describe({ storage_id: id }, call.timeLeft())
      if (supplies) throw storageInUse(id, supplies, { kind: 'supplies', id, name: supplies })
      if (await this.storages.delete(id, if_revisions)) return {}
      throw changedMeanwhile(storageView(orNotFound(await this.storages.get(id))))
    })
  }

  /**
   * The storages that a search queries (partners.md#brands-1): the active ones among the ids, or among those linked to
   * the active points, by `id`. The only reply with header values in clear; only the search may request it.
   */
  @Handles(contract.resolveStorages)
  async resolveStorages({
    body,
  }: CallOf<typeof contract.resolveStorages>): Promise<ReplyOf<typeof contract.resolveStorages>> {
    const byIds = 'storage_ids' in body
    const ids = byIds ? body.storage_ids : await this.points.storageIdsOfActive(body.pick_up_point_ids)
    const storages = await this.storages.getMany(ids, { includeInactive: byIds && body.include_inactive === true })
    return {
      storages: storages.map((storage) => ({
        id: storage.id,
        name: storage.name,
        supplier: tryToOpenSupplier(storage, this.secrets, this.log),
      })),
    }
  }

  /**
   * A supplier before it is saved, with the stored header values of a storage in place of `"***"` (admin.md#secrets).
   * Only the search may request it.
   * @throws AppError CONTRACT_VIOLATION for an unknown storage, or for `"***"` that keeps no value
   */
  @Handles(overview.revealSupplier)
  async revealSupplier({
    body: { storage_id, supplier },
  }: CallOf<typeof overview.revealSupplier>): Promise<ReplyOf<typeof overview.revealSupplier>> {
    const stored = storage_id === undefined ? undefined : await this.storages.get(storage_id)
    if (storage_id !== undefined && !stored)
      throw contractViolation({ storage_id: ['The selected storage_id is invalid.'] }, 'exists')
    const id = storage_id ?? 0
    try {
      return { supplier: revealSupplier(id, supplier, stored?.supplier, this.secrets) }
    } catch (error) {
      if (error instanceof AppError) throw error
      this.log.error({ err: error, storage_id: id }, 'header values of a storage cannot be decrypted')
      return { supplier: null }
    }
  }
}

function storageView(storage: StoredStorage): Revised<Storage> {
  return { ...storage, supplier: supplierView(storage.supplier) }
}

function withoutRevision({ revision: _, ...storage }: Revised<Storage>): Storage {
  return storage
}

function orNotFound(storage: StoredStorage | undefined): StoredStorage {
  if (!storage) throw new AppError('NOT_FOUND', texts.notFound)
  return storage
}

function storageInUse(id: number, users: string, by: Referrer): AppError {
  return new AppError('CONFLICT', `Storage ${id} is used by ${users}.`, { details: { by: [by] } })
}

function pointReferrer({ id, name }: PickUpPoint): Referrer {
  return { kind: 'pick-up-point', id, name }
}

function describePoints({ first, count }: { first: PickUpPoint; count: number }): string {
  return `pick-up point ${first.id} "${first.name}"${count > 1 ? ` and ${count - 1} more` : ''}`
}

import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type {
  NewPickUpPoint,
  OfferedPickUpPoint,
  PickUpPoint,
  PickUpPointPatch,
} from '@partsbus/contracts/stock/pick-up-point'
import { assertRevision, changedMeanwhile, type Revised } from '@partsbus/contracts/revision'
import * as contract from '@partsbus/contracts/stock/commands'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ReferenceDataLock } from '../reference-data-lock.js'
import { StorageStore } from '../storages/storage-store.js'
import { SupplyUsage } from '../supplies/supply-usage.js'
import { PickUpPointStore } from './pick-up-point-store.js'

/** admin.md#pick-up-points */
@Controller()
export class PickUpPoints {
  constructor(
    private readonly points: PickUpPointStore,
    private readonly storages: StorageStore,
    private readonly usage: SupplyUsage,
    private readonly lock: ReferenceDataLock,
  ) {}

  @Handles(contract.listPickUpPoints)
  listPickUpPoints(call: CallOf<typeof contract.listPickUpPoints>): Promise<Page<PickUpPoint>> {
    return this.points.list(call.body)
  }

  /** The active points, as partners see them (partners.md#pick-up-points-2). */
  @Handles(contract.listOfferedPickUpPoints)
  async listOfferedPickUpPoints(): Promise<ReplyOf<typeof contract.listOfferedPickUpPoints>> {
    return { pick_up_points: (await this.points.listActive()).map(offeredPickUpPointView) }
  }

  /** @throws AppError NOT_FOUND */
  @Handles(contract.getPickUpPoint)
  async getPickUpPoint(call: CallOf<typeof contract.getPickUpPoint>): Promise<Revised<PickUpPoint>> {
    return orNotFound(await this.points.get(call.body.id))
  }

  /** @throws AppError CONTRACT_VIOLATION on `storage_ids.N` for a storage that does not exist */
  @Handles(contract.createPickUpPoint)
  createPickUpPoint(call: CallOf<typeof contract.createPickUpPoint>): Promise<Revised<PickUpPoint>> {
    return this.lock.run(call.timeLeft(), async () => {
      await this.requireStorages(call.body.storage_ids)
      return this.points.insert(withDefaults(call.body))
    })
  }

  /**
   * Any subset of the fields; `storage_ids` is replaced as a whole.
   * @throws AppError NOT_FOUND, CHANGED, or CONTRACT_VIOLATION on `storage_ids.N` for a storage that does not exist
   */
  @Handles(contract.patchPickUpPoint)
  patchPickUpPoint(call: CallOf<typeof contract.patchPickUpPoint>): Promise<Revised<PickUpPoint>> {
    const { id, patch, if_revisions } = call.body
    return this.lock.run(call.timeLeft(), async () => {
      assertRevision(if_revisions, orNotFound(await this.points.get(id)))
      await this.requireStorages(patch.storage_ids)
      const patched = await this.points.patch(id, definedFields(patch), if_revisions)
      return patched ?? this.refuseChange(id)
    })
  }

  /** @throws AppError NOT_FOUND, CHANGED, or CONFLICT when supplies refer to it */
  @Handles(contract.deletePickUpPoint)
  deletePickUpPoint(call: CallOf<typeof contract.deletePickUpPoint>): Promise<Record<string, never>> {
    const { id, if_revisions } = call.body
    return this.lock.run(call.timeLeft(), async () => {
      assertRevision(if_revisions, orNotFound(await this.points.get(id)))
      const supplies = await this.usage.describe({ pick_up_point_id: id }, call.timeLeft())
      if (supplies) throw pointInUse(id, supplies)
      if (await this.points.delete(id, if_revisions)) return {}
      return this.refuseChange(id)
    })
  }

  /** Another change was made between the check and the write. */
  private async refuseChange(id: number): Promise<never> {
    throw changedMeanwhile(orNotFound(await this.points.get(id)))
  }

  private async requireStorages(ids: readonly number[] = []): Promise<void> {
    const existing = await this.storages.existing(ids)
    const violations: Violations = {}
    for (const [index, id] of ids.entries()) {
      if (!existing.has(id)) violations[`storage_ids.${index}`] = [`The selected storage_ids.${index} is invalid.`]
    }
    if (Object.keys(violations).length > 0) throw contractViolation(violations, 'exists')
  }
}

function withDefaults(fields: NewPickUpPoint): Omit<PickUpPoint, 'id'> {
  return {
    country: null,
    region: null,
    city: null,
    address: '',
    phone: '',
    email: '',
    description: '',
    schedule: '',
    is_active: true,
    storage_ids: [],
    ...definedFields(fields),
  }
}

/** The fields that were sent; each storage once, in the order sent. */
function definedFields<Fields extends NewPickUpPoint | PickUpPointPatch>(sent: Fields): Fields {
  const fields = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Fields
  return fields.storage_ids ? { ...fields, storage_ids: [...new Set(fields.storage_ids)] } : fields
}

function orNotFound(point: Revised<PickUpPoint> | undefined): Revised<PickUpPoint> {
  if (!point) throw new AppError('NOT_FOUND', texts.notFound)
  return point
}

/** A point as partners see it: `caption` is its name, `timetable` its schedule. */
function offeredPickUpPointView(point: PickUpPoint): OfferedPickUpPoint {
  const { id, name, country, region, city, address, phone, email, description, schedule } = point
  return { id, caption: name, country, region, city, address, phone, email, description, timetable: schedule }
}

function pointInUse(id: number, supplies: string): AppError {
  const by: Referrer[] = [{ kind: 'supplies', id, name: supplies }]
  return new AppError('CONFLICT', `Pick-up point ${id} is used by ${supplies}.`, { details: { by } })
}

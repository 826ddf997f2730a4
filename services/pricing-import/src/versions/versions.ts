import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { PriceListVersion } from '@partsbus/contracts/pricing-import/price-list-version'
import * as contract from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { byAge, keptVersion, noVersionBefore, numberVersions, versionBefore } from './live-order.js'
import { VersionStore } from './version-store.js'

/** admin.md#versions */
@Controller()
export class Versions {
  constructor(
    private readonly lists: PriceListStore,
    private readonly versions: VersionStore,
    private readonly counters: CounterStore,
  ) {}

  /** @throws AppError NOT_FOUND */
  @Handles(contract.listVersions)
  async listVersions(call: CallOf<typeof contract.listVersions>): Promise<{ versions: PriceListVersion[] }> {
    return { versions: versionViews(await this.get(call.body.id)) }
  }

  /**
   * Makes a kept version live, the one live before the active one unless named (admin.md#rollback, rules.md#rollback).
   * @throws AppError NOT_FOUND, or CONFLICT when it is no longer kept
   */
  @Handles(contract.rollbackVersion)
  async rollbackVersion(
    call: CallOf<typeof contract.rollbackVersion>,
  ): Promise<{ versions: PriceListVersion[]; replaced: number | null }> {
    const { id, version } = call.body
    let list = await this.get(id)
    // whatever was uploaded up to now must not go live afterwards
    const through = await this.counters.last('import_tasks')
    const target = version ?? versionBefore(list)
    if (target === undefined) throw noVersionBefore()
    for (; ; list = await this.get(id)) {
      keptVersion(list, target)
      if (await this.versions.rollBack(list, target, through)) break
    }
    return { versions: versionViews(await this.get(id)), replaced: list.active_version }
  }

  private async get(id: number): Promise<PriceListRecord> {
    const list = await this.lists.find(id)
    if (!list) throw new AppError('NOT_FOUND', texts.notFound)
    return list
  }
}

/** The most recently published first. A version is named by the task that made it. */
function versionViews(list: PriceListRecord): PriceListVersion[] {
  const newestFirst = numberVersions(list.versions).toSorted((one, other) => byAge(other, one))
  return newestFirst.map(({ version, number, rows, settings, created_at }) => ({
    version,
    number,
    task_id: version,
    rows,
    markup_percent: settings?.markup_percent ?? null,
    delivery_days: settings?.delivery_days ?? null,
    is_active: version === list.active_version,
    created_at: created_at.toISOString(),
  }))
}

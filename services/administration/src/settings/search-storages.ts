import { Controller } from '@nestjs/common'
import { setInSearch } from '@partsbus/contracts/administration/settings-commands'
import type { Settings } from '@partsbus/contracts/administration/settings'
import { AppError } from '@partsbus/contracts/app-error'
import { getStorage } from '@partsbus/contracts/stock/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Changes } from '../audit/changes.js'
import { assertCarriable } from './carried-settings.js'
import { SettingsStore } from './settings-store.js'
import { differences, type SettingsChange, SettingsWriter } from './settings-writer.js'

/** As many as the setting may name. */
const MAX_STORAGES = 1_000

/** One storage of the setting `storages_for_crosses` (admin.md#storage-in-search). */
@Controller()
export class SearchStorages {
  constructor(
    private readonly store: SettingsStore,
    private readonly writer: SettingsWriter,
    private readonly changes: Changes,
    private readonly calls: BusClient,
  ) {}

  /** @throws AppError NOT_FOUND, CONFLICT, CONTRACT_VIOLATION when the setting is full */
  @Handles(setInSearch)
  async setInSearch({ body: { id, in_search, caller } }: CallOf<typeof setInSearch>) {
    const { storages_for_crosses: asked } = (await this.store.read()).values
    if (asked.includes(id) === in_search) return {}
    if (in_search) await this.assertIncludable(id)
    await this.changes.record(caller, {
      action: 'settings.patch',
      details: { reason: `storage ${id} was ${in_search ? 'included in' : 'excluded from'} the search` },
      make: () => (in_search ? this.include(id) : this.write(id, false)),
      resultDetails: (change) => ({ changed: differences(change) }),
    })
    return {}
  }

  /** Undoes it when the storage was deleted meanwhile: a deletion reads the settings before and after. */
  private async include(id: number): Promise<SettingsChange> {
    const change = await this.write(id, true)
    try {
      await this.assertIncludable(id)
    } catch (error) {
      // a service that cannot be reached cannot tell
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') return change
      await this.write(id, false)
      throw error
    }
    return change
  }

  /** Planned again on what is stored then, so that no change of others is lost. */
  private write(id: number, isIncluded: boolean): Promise<SettingsChange> {
    return this.writer.change(undefined, (stored) => {
      const others = stored.values.storages_for_crosses.filter((other) => other !== id)
      const patch = { storages_for_crosses: isIncluded ? [...others, id] : others }
      if (isIncluded) assertRoom(stored.values, patch)
      return { ...stored, values: { ...stored.values, ...patch } }
    })
  }

  private async assertIncludable(id: number): Promise<void> {
    const { supplier } = await this.calls.request(getStorage, { id })
    if (supplier.kind === 'http')
      throw new AppError(
        'CONFLICT',
        'The storage asks another system. An owner includes it in the setting storages_for_crosses.',
      )
  }
}

function assertRoom(stored: Settings, patch: Pick<Settings, 'storages_for_crosses'>): void {
  if (patch.storages_for_crosses.length > MAX_STORAGES)
    throw new AppError('CONFLICT', `The setting storages_for_crosses has ${MAX_STORAGES} storages already.`)
  assertCarriable(stored, patch)
}

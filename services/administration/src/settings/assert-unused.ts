import { Controller } from '@nestjs/common'
import { assertUnused, type SettingsReference } from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/app-error'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import { priceListsOfStorage } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { BusClient } from '@partsbus/platform/bus/client'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { namesReferring } from './settings-references.js'
import { SettingsStore } from './settings-store.js'

/** How long the service of price lists may take, in ms. */
const TIMEOUT_MS = 10_000
/** Price lists that the message names at most. */
const NAMED = 5

/** Whether a storage or a pick-up point may be deleted (admin.md#references). */
@Controller()
export class AssertUnused {
  constructor(
    private readonly calls: BusClient,
    private readonly settings: SettingsStore,
  ) {}

  @Handles(assertUnused)
  async assertUnused({ body: { kind, id } }: CallOf<typeof assertUnused>) {
    const checks = await Promise.allSettled([
      this.assertNotInSettings(kind, id),
      kind === 'storage' ? this.assertNoPriceLists(id) : undefined,
    ])
    const errors = checks.flatMap((check): unknown[] => (check.status === 'rejected' ? [check.reason] : []))
    const conflicts = errors.filter((error) => error instanceof AppError && error.code === 'CONFLICT') as AppError[]
    if (conflicts.length > 1) throw joinConflicts(conflicts)
    if (errors.length > 0) throw conflicts[0] ?? errors[0]
    return {}
  }

  private async assertNotInSettings(kind: SettingsReference, id: number): Promise<void> {
    const settings = namesReferring((await this.settings.read()).values, kind, id)
    if (settings.length === 0) return
    const text = `The ${kind} is used by the setting${settings.length > 1 ? 's' : ''} ${settings.join(', ')}.`
    throw new AppError('CONFLICT', text, {
      details: { by: settings.map((name): Referrer => ({ kind: 'setting', id: name, name })) },
    })
  }

  private async assertNoPriceLists(storage_id: number): Promise<void> {
    const { price_lists } = await this.calls.request(priceListsOfStorage, { storage_id }, { timeoutMs: TIMEOUT_MS })
    if (price_lists.length === 0) return
    const named = price_lists
      .slice(0, NAMED)
      .map(({ id, name }) => `"${name}" (${id})`)
      .join(', ')
    const more = price_lists.length > NAMED ? ` and ${price_lists.length - NAMED} more` : ''
    throw new AppError(
      'CONFLICT',
      `The storage is used by the price list${price_lists.length > 1 ? 's' : ''} ${named}${more}.`,
      { details: { by: price_lists.map(({ id, name }): Referrer => ({ kind: 'price-list', id, name })) } },
    )
  }
}

function joinConflicts(conflicts: AppError[]): AppError {
  const by = conflicts.flatMap(({ details }) => (details as { by: Referrer[] }).by)
  return new AppError('CONFLICT', conflicts.map(({ message }) => message).join(' '), { details: { by } })
}

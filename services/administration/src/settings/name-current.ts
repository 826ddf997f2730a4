import { AppError } from '@partsbus/contracts/app-error'
import { changedMeanwhile } from '@partsbus/contracts/revision'
import type { SettingsStore } from './settings-store.js'
import { viewSettings } from './settings-view.js'

/** Adds the settings as they are now to the refusal of a change (admin.md#revisions). */
export async function nameCurrent<Result>(
  store: Pick<SettingsStore, 'read'>,
  change: Promise<Result>,
): Promise<Result> {
  return change.catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'CHANGED') throw error
    const current = await store.read()
    throw changedMeanwhile({ ...viewSettings(current), revision: current.rev })
  })
}

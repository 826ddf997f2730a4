import { findSettingsReferences, type SettingsReference } from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/errors'
import type { Referrer } from '@partsbus/contracts/gateway/answer'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import type { AdminContext } from '../admin-context.js'
import { assertNoPriceLists } from './price-list-references.js'

/**
 * @throws AppError CONFLICT naming all settings and price lists that use the resource (admin.md#references), or
 * UNAVAILABLE when nothing that is known uses it and the service of price lists cannot be reached
 */
export async function assertUnused(
  ctx: Pick<AdminContext, 'calls'>,
  kind: SettingsReference,
  id: number,
  settings: SettingsSnapshot,
): Promise<void> {
  const checks = await Promise.allSettled([
    assertNotInSettings(ctx, kind, id),
    kind === 'storage' ? assertNoPriceLists(ctx, id, settings) : undefined,
  ])
  const errors = checks.flatMap((check): unknown[] => (check.status === 'rejected' ? [check.reason] : []))
  const conflicts = errors.filter((error) => error instanceof AppError && error.code === 'CONFLICT') as AppError[]
  if (conflicts.length > 1) throw joinConflicts(conflicts)
  if (errors.length > 0) throw conflicts[0] ?? errors[0]
}

async function assertNotInSettings(
  { calls }: Pick<AdminContext, 'calls'>,
  kind: SettingsReference,
  id: number,
): Promise<void> {
  const { settings } = await calls.request(findSettingsReferences, { kind, id })
  if (settings.length === 0) return
  const text = `The ${kind} is used by the setting${settings.length > 1 ? 's' : ''} ${settings.join(', ')}.`
  throw new AppError('CONFLICT', text, {
    details: { by: settings.map((name): Referrer => ({ kind: 'setting', id: name, name })) },
  })
}

function joinConflicts(conflicts: AppError[]): AppError {
  const by = conflicts.flatMap(({ details }) => (details as { by: Referrer[] }).by)
  return new AppError('CONFLICT', conflicts.map(({ message }) => message).join(' '), { details: { by } })
}

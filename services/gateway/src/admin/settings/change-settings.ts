import { type IssuedToken, type Settings, settingsPatch, type SettingsView } from '@partsbus/contracts/settings'
import type { ApiAudience, TokenHash } from '../../settings/access-token.js'
import type { SettingsSnapshot, SettingsChange } from '../../settings/settings-cache.js'
import type { AdminContext } from '../admin-context.js'
import { checkSettings } from './check-settings.js'
import { checkBody } from '../resources/read-request.js'
import { recordChange } from '../audit/record-change.js'

/** `GET /settings`: tokens by their last characters only. */
export function viewSettings(held: SettingsSnapshot): SettingsView {
  return { ...held.values, erp_token: stampOf(held.tokens.erp), b2b_token: stampOf(held.tokens.b2b) }
}

/**
 * `PATCH /settings`: all of it or, when anything is wrong, nothing.
 * Where B2B is on afterwards and had no token, one is made and shown this once (admin.md#settings-b2b-token).
 */
export async function patchSettings(ctx: AdminContext, body: unknown): Promise<SettingsView> {
  const patch = withoutAbsent(checkBody(settingsPatch, body))
  await checkSettings(ctx, patch)
  const current = await ctx.settings.fresh()
  const lacksToken = current.values.b2b_enabled && !current.tokens.b2b
  if (Object.keys(patch).length === 0 && !lacksToken) return viewSettings(current)
  const { held, issued } = await recordChange(ctx, {
    action: 'settings.patch',
    details: { settings: patch },
    make: () => ctx.settings.patch(patch),
    // what was asked says nothing beyond what was changed
    learn: (change) => ({
      settings: undefined,
      changed: differences(change),
      ...(change.issued && { b2b_token: { last4: change.issued.last4 } }),
    }),
  })
  const view = viewSettings(held)
  return issued ? { ...view, b2b_token: issued } : view
}

/** `POST /settings/erp-token` and `/b2b-token`: makes a token, shown this once; the one before it is dead. */
export async function issueApiToken(ctx: AdminContext, door: ApiAudience): Promise<IssuedToken> {
  const { issued } = await recordChange(ctx, {
    action: `${door}-token.issue`,
    details: {},
    make: () => ctx.settings.issueToken(door),
    learn: (change) => ({ last4: change.issued.last4, replaced: change.before.tokens[door]?.last4 ?? null }),
  })
  return issued
}

/** `DELETE /settings/erp-token` and `/b2b-token`. Revoking when there is none changes nothing. */
export async function revokeApiToken(ctx: AdminContext, door: ApiAudience): Promise<void> {
  await recordChange(ctx, {
    action: `${door}-token.revoke`,
    details: {},
    make: () => ctx.settings.revokeToken(door),
    learn: (change) => ({ last4: change.before.tokens[door]?.last4 ?? null }),
  })
}

function stampOf(hash: TokenHash | null): { last4: string; issued_at: string } | null {
  return hash && { last4: hash.last4, issued_at: hash.issued_at.toISOString() }
}

function withoutAbsent(patch: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

function differences({ before, held }: SettingsChange): Record<string, { from: unknown; to: unknown }> {
  const names = Object.keys(held.values) as Array<keyof Settings>
  const changed = names.filter((name) => JSON.stringify(before.values[name]) !== JSON.stringify(held.values[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before.values[name], to: held.values[name] }]))
}

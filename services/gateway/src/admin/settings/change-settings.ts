import type { IssuedToken, Settings, SettingsPatch, SettingsView } from '@partsbus/contracts/gateway/settings'
import { changedMeanwhile } from '@partsbus/contracts/revision'
import type { FastifyReply } from 'fastify'
import { toAppError } from '@partsbus/platform/mongo/to-app-error'
import type { ApiAudience, TokenHash } from '../../settings/access-token.js'
import type { SettingsChange, SettingsSnapshot } from '../../settings/settings-cache.js'
import { assertAccepted, entityTag, hideRevision } from '../resources/revisions.js'
import type { AdminContext } from '../admin-context.js'
import { checkSettings } from './check-settings.js'
import { listReferences, patchWithoutReferences, type SettingsReference } from './settings-references.js'
import { recordChange } from '../audit/record-change.js'

/** A request for the settings that passed the checks of its operation. */
interface SettingsCall {
  ctx: AdminContext
  body: SettingsPatch
  /** the revisions that a change accepts; absent: any */
  ifMatch: number[] | undefined
  settings: SettingsSnapshot
  reply: Pick<FastifyReply, 'header'>
}

/** All settings, with their revision (admin.md#settings-get). */
export function getSettings({ settings, reply }: Pick<SettingsCall, 'settings' | 'reply'>): SettingsView {
  reply.header('etag', entityTag(settings.rev))
  return viewSettings(settings)
}

/** Tokens by their last characters only. */
function viewSettings(settings: SettingsSnapshot): SettingsView {
  return {
    ...settings.values,
    erp_token: erpTokenStamp(settings.tokens.erp),
    b2b_token: tokenStamp(settings.tokens.b2b),
  }
}

/**
 * Writes the whole patch or, if a part of it is invalid, nothing (admin.md#settings-patch).
 * When B2B is enabled without a token afterwards, one is generated and shown this once (admin.md#settings-b2b-token).
 */
export async function patchSettings({
  ctx,
  body,
  ifMatch,
  reply,
}: Pick<SettingsCall, 'ctx' | 'body' | 'ifMatch' | 'reply'>): Promise<SettingsView> {
  const patch = withoutUndefined(body)
  await checkSettings(ctx, patch)
  const current = await ctx.settings.fresh()
  assertAccepted(ifMatch, current.rev, viewSettings(current))
  const lacksToken = current.values.b2b_enabled && !current.tokens.b2b
  if (Object.keys(patch).length === 0 && !lacksToken) {
    reply.header('etag', entityTag(current.rev))
    return viewSettings(current)
  }
  const { after, issued } = await recordChange(ctx, {
    action: 'settings.patch',
    details: { settings: patch },
    make: () => nameCurrent(ctx, writeSettings(ctx, patch, ifMatch)),
    // the differences say all that the request says
    resultDetails: (change) => ({
      settings: undefined,
      changed: differences(change),
      ...(change.issued && { b2b_token: { last4: change.issued.last4 } }),
    }),
  })
  reply.header('etag', entityTag(after.rev))
  const view = viewSettings(after)
  return issued ? { ...view, b2b_token: issued } : view
}

/**
 * Writes a patch, and undoes it when a resource that it refers to was deleted meanwhile: a deletion reads the settings
 * before and after, so one of the two notices the other (see {@link clearReferences}).
 */
async function writeSettings(
  ctx: AdminContext,
  patch: Partial<Settings>,
  accepted: readonly number[] | undefined,
): Promise<SettingsChange> {
  const change = await ctx.settings.patch(patch, accepted)
  if (listReferences(patch).length === 0) return change
  try {
    await checkSettings(ctx, patch)
  } catch (error) {
    // a service that cannot be reached cannot tell
    if (toAppError(error).code !== 'CONTRACT_VIOLATION') return change
    await ctx.settings.patch((values) => withoutPatch(values, patch, change.before.values))
    throw error
  }
  return change
}

/** What takes a patch back, except for settings that were changed again meanwhile. */
function withoutPatch(values: Settings, patch: Partial<Settings>, before: Settings): SettingsPatch {
  const names = Object.keys(patch) as Array<keyof Settings>
  const unchanged = names.filter((name) => JSON.stringify(values[name]) === JSON.stringify(patch[name]))
  return Object.fromEntries(unchanged.map((name) => [name, before[name]]))
}

/** Adds the settings as they are now to the refusal of a change (admin.md#revisions). */
async function nameCurrent<Result>(ctx: AdminContext, change: Promise<Result>): Promise<Result> {
  return change.catch(async (error: unknown) => {
    if (toAppError(error).code !== 'CHANGED') throw error
    const current = await ctx.settings.read()
    throw hideRevision(changedMeanwhile({ ...viewSettings(current), revision: current.rev }))
  })
}

/** Removes references to a deleted resource that were written while it was being deleted. */
export async function clearReferences(ctx: AdminContext, kind: SettingsReference, id: number): Promise<void> {
  const patchOf = (values: Settings): SettingsPatch | undefined => patchWithoutReferences(values, kind, id)
  if (!patchOf((await ctx.settings.read()).values)) return
  await recordChange(ctx, {
    action: 'settings.patch',
    details: { reason: `${kind} ${id} was deleted` },
    make: () => ctx.settings.patch((values) => patchOf(values) ?? {}),
    resultDetails: (change) => ({ changed: differences(change) }),
  })
}

/** Replaces the token; the reply is the only one that contains the new one (admin.md#tokens-issue). */
export async function issueApiToken(
  { ctx, ifMatch, reply }: Pick<SettingsCall, 'ctx' | 'ifMatch' | 'reply'>,
  audience: ApiAudience,
  overlapMinutes?: number,
): Promise<IssuedToken> {
  const { issued, after } = await recordChange(ctx, {
    action: `${audience}-token.issue`,
    details: {},
    make: () => nameCurrent(ctx, ctx.settings.issueToken(audience, { overlapMinutes, accepted: ifMatch })),
    resultDetails: (change) => ({
      last4: change.issued.last4,
      replaced: change.before.tokens[audience]?.last4 ?? null,
      ...(change.issued.previous_valid_until && { previous_valid_until: change.issued.previous_valid_until }),
    }),
  })
  reply.header('etag', entityTag(after.rev))
  return issued
}

/** Succeeds even if there is no token (admin.md#tokens-revoke). */
export async function revokeApiToken(
  ctx: AdminContext,
  audience: ApiAudience,
  accepted: readonly number[] | undefined,
): Promise<void> {
  await recordChange(ctx, {
    action: `${audience}-token.revoke`,
    details: {},
    make: () => nameCurrent(ctx, ctx.settings.revokeToken(audience, accepted)),
    resultDetails: (change) => ({ last4: change.before.tokens[audience]?.last4 ?? null }),
  })
}

function erpTokenStamp(hash: TokenHash | null): SettingsView['erp_token'] {
  const stamp = tokenStamp(hash)
  const previous = hash?.previous
  if (!stamp || !previous || previous.valid_until.getTime() <= Date.now()) return stamp
  return { ...stamp, previous: { last4: previous.last4, valid_until: previous.valid_until.toISOString() } }
}

function tokenStamp(hash: TokenHash | null): { last4: string; issued_at: string } | null {
  return hash && { last4: hash.last4, issued_at: hash.issued_at.toISOString() }
}

function withoutUndefined(patch: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

function differences({ before, after }: SettingsChange): Record<string, { from: unknown; to: unknown }> {
  const names = Object.keys(after.values) as Array<keyof Settings>
  const changed = names.filter((name) => JSON.stringify(before.values[name]) !== JSON.stringify(after.values[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before.values[name], to: after.values[name] }]))
}

import { adminRows } from '@partsbus/contracts/http/admin'
import type { AdminRow } from '@partsbus/contracts/http/row'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'
import { hideSecrets } from '../audit/hide-secrets.js'

/** A change must not wait long for what only the audit log shows, ms. */
const TIMEOUT_MS = 1_000
/** What a person knows a resource by. */
const NAMES = ['name', 'canonical'] as const

/**
 * What a change of a resource replaces, for the audit log: its name, and the fields that are changed. Undefined where
 * it cannot be read in time, which does not hold up the change.
 * @param path of the change, like `PATCH /storages/:id`
 * @param fields that are changed; none of a deletion
 */
export async function readBefore(
  ctx: AdminContext,
  path: string,
  { params, fields }: { params: Record<string, unknown>; fields: readonly string[] },
  settings: SettingsSnapshot,
): Promise<Record<string, unknown> | undefined> {
  const rows: Readonly<Record<string, AdminRow | undefined>> = adminRows
  const resource = /^(?:PATCH|DELETE) (.+)$/.exec(path)?.[1]
  const command = resource === undefined ? undefined : rows[`GET ${resource}`]?.command
  if (!command) return undefined
  try {
    const stored = await ctx.calls.request(command, params, callOptions(settings.call, TIMEOUT_MS))
    const kept = Object.entries(stored as object).filter(([name]) => [...NAMES, ...fields].includes(name))
    return hideSecrets(withoutRuns(Object.fromEntries(kept)))
  } catch {
    return undefined
  }
}

/** The last runs of sources are no part of what a change replaces. */
const withoutRuns = (fields: object): object =>
  JSON.parse(JSON.stringify(fields, (key, value: unknown) => (key === 'last_run' ? undefined : value))) as object

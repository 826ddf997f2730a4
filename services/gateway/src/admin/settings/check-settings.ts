import { AppError } from '@partsbus/contracts/errors'
import type { SettingsPatch } from '@partsbus/contracts/gateway/settings'
import { getPickUpPoint, getStorage } from '@partsbus/contracts/stock/commands'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import { isAddressOrRange } from '@partsbus/platform/net/address-list'
import type { AdminContext } from '../admin-context.js'
import { isHostName } from './host-name.js'
import { type Reference, listReferences } from './settings-references.js'

/** Concurrent requests to the stock service. */
const PARALLEL = 16

/**
 * Checks what the schema of the settings does not: syntax of addresses and host names, existence of storages and
 * pick-up points.
 * @throws AppError CONTRACT_VIOLATION listing every violation, or UNAVAILABLE when the stock service cannot be reached
 */
export async function checkSettings(ctx: Pick<AdminContext, 'calls'>, patch: SettingsPatch): Promise<void> {
  const violations: Violations = {}
  for (const [index, text] of (patch.erp_allowed_ips ?? []).entries()) {
    if (!isAddressOrRange(text))
      violations[`erp_allowed_ips.${index}`] = [`The erp_allowed_ips.${index} must be an IP address or a CIDR range.`]
  }
  for (const [index, text] of (patch.media_allowed_hosts ?? []).entries()) {
    if (!isHostName(text) && !isAddressOrRange(text)) {
      violations[`media_allowed_hosts.${index}`] = [
        `The media_allowed_hosts.${index} must be a host name, an IP address or a CIDR range.`,
      ]
    }
  }
  const references = listReferences(patch)
  for (let from = 0; from < references.length; from += PARALLEL) {
    const some = references.slice(from, from + PARALLEL)
    const known = await Promise.all(some.map((reference) => exists(ctx, reference)))
    for (const [index, { path }] of some.entries()) {
      if (!known[index]) violations[path] = [`The selected ${path} is invalid.`]
    }
  }
  const paths = Object.keys(violations)
  if (paths.length === 0) return
  const unknown = new Set(references.map(({ path }) => path))
  throw contractViolation(
    violations,
    paths.map((path) => ({ path, rule: unknown.has(path) ? 'exists' : 'format' })),
  )
}

async function exists(ctx: Pick<AdminContext, 'calls'>, { kind, id }: Reference): Promise<boolean> {
  try {
    await ctx.calls.request(kind === 'storage' ? getStorage : getPickUpPoint, { id })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return false
    throw error
  }
}

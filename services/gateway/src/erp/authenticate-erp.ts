import type { IncomingMessage } from 'node:http'
import { AppError } from '@partsbus/contracts/app-error'
import { listContains, parseAddress } from '@partsbus/platform/net/address-list'
import { bearerToken } from '../auth/bearer-token.js'
import { previousTokenMatches, tokenMatches } from '../auth/api-token.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

/** The checks erp.md#auth-1 to erp.md#auth-4, in their order and with their texts. */
export function authenticateErp(
  settings: SettingsSnapshot,
  request: { raw: IncomingMessage; address: string | undefined },
): void {
  if (!settings.values.erp_enabled) throw new AppError('DISABLED', 'ERP integration is disabled.')
  const token = bearerToken(request.raw.rawHeaders)
  if (token === undefined) throw new AppError('UNAUTHENTICATED', 'Missing or invalid Authorization header.')
  if (!isAccepted(token, settings)) throw new AppError('UNAUTHENTICATED', 'Invalid ERP API token.')
  if (settings.values.erp_allowed_ips.length === 0) return
  const address = parseAddress(request.address ?? '')
  if (!address || !listContains(settings.allowedAddresses, address)) {
    // who is behind NAT or a proxy cannot know it, and the administrator asks for it
    const details = address && { address: request.address }
    throw new AppError('FORBIDDEN', 'Access from this IP address is not allowed for ERP API.', { details })
  }
}

/** The current token, or the one before it within its overlap (admin.md#tokens-overlap). */
function isAccepted(token: string, { tokenDigests, tokens }: SettingsSnapshot): boolean {
  if (tokenMatches(token, tokenDigests.erp)) return true
  return tokens.erp?.previous !== undefined && previousTokenMatches(token, tokens.erp, Date.now())
}

/** erp.md#stocks-configured. */
export function requireStockTarget({ values }: SettingsSnapshot): void {
  if (values.erp_storage_id !== null && values.erp_pick_up_point_id !== null) return
  throw new AppError('NOT_CONFIGURED', 'Default storage and pick-up point for ERP stocks must be configured.')
}

import type { IncomingMessage } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { bearerToken } from '../auth/bearer-token.js'
import { tokenMatches } from '../auth/api-token.js'
import type { SettingsSnapshot } from '../settings/settings-cache.js'

/** The checks partners.md#auth-1 to partners.md#auth-3. */
export function authenticateB2b(settings: SettingsSnapshot, request: IncomingMessage): void {
  if (!settings.values.b2b_enabled) throw new AppError('DISABLED', 'B2B API is disabled.')
  if (!settings.tokenDigests.b2b) throw new AppError('NOT_CONFIGURED', 'B2B API token is not configured.')
  const token = bearerToken(request.rawHeaders)
  if (token === undefined || !tokenMatches(token, settings.tokenDigests.b2b))
    throw new AppError('UNAUTHENTICATED', texts.unauthenticated)
}

import type { SettingsView } from '@partsbus/contracts/administration/settings'
import type { TokenHash } from './access-token.js'
import type { StoredSettings } from './settings-store.js'

/** All settings; tokens by their last characters only. */
export function viewSettings({ values, tokens }: StoredSettings): SettingsView {
  return { ...values, erp_token: erpTokenStamp(tokens.erp), b2b_token: tokenStamp(tokens.b2b) }
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

import type { Account, OpenSession } from '@partsbus/contracts/administration/accounts'
import type { Session } from '@partsbus/contracts/administration/administrator'
import type { Settings } from '@partsbus/contracts/administration/settings'
import { tokenHolder } from '../administrators/request-administrator.js'

/**
 * @param account null: the holder of ADMIN_TOKEN
 * @param session undefined: the request has a bearer token and no session
 * @param address of the request; shown where there is no session
 */
export function viewSession(
  account: Account | null,
  session: OpenSession['session'] | undefined,
  { settings, address }: { settings: Pick<Settings, 'admin_locale'>; address: string | undefined },
): Session {
  const { name, displayName: display_name, role } = tokenHolder
  const shown = account ?? { id: null, name, display_name, role, locale: null, time_zone: null, theme: 'auto' as const }
  return {
    administrator: { ...shown, locale: shown.locale ?? settings.admin_locale },
    started_at: session?.started_at ?? null,
    expires_at: session?.ends_at ?? null,
    address: session ? session.address : (address ?? null),
  }
}

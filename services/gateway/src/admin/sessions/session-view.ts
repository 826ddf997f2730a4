import type { OwnSession, Session } from '@partsbus/contracts/gateway/administrator'
import type { Settings } from '@partsbus/contracts/gateway/settings'
import type { AdministratorDocument } from '../administrators/administrator-store.js'
import { tokenHolder } from '../administrators/request-administrator.js'
import type { SessionDocument } from './session-store.js'

/**
 * @param administrator null: the holder of ADMIN_TOKEN
 * @param session undefined: the request has a bearer token and no session
 * @param address of the request; shown where there is no session
 */
export function viewSession(
  administrator: AdministratorDocument | null,
  session: SessionDocument | undefined,
  { settings, address }: { settings: Pick<Settings, 'admin_locale'>; address: string | undefined },
): Session {
  return {
    administrator: {
      id: administrator?._id ?? null,
      name: administrator?.name ?? tokenHolder.name,
      display_name: administrator?.display_name ?? tokenHolder.displayName,
      role: administrator?.role ?? tokenHolder.role,
      locale: administrator?.locale ?? settings.admin_locale,
      time_zone: administrator?.time_zone ?? null,
      theme: administrator?.theme ?? 'auto',
    },
    started_at: session?.started_at.toISOString() ?? null,
    expires_at: session?.ends_at.toISOString() ?? null,
    address: session ? session.address : (address ?? null),
  }
}

export function viewOwnSession(session: SessionDocument, currentId: string | null): OwnSession {
  return {
    id: session._id,
    started_at: session.started_at.toISOString(),
    seen_at: session.seen_at.toISOString(),
    address: session.address,
    agent: session.agent,
    is_current: session._id === currentId,
  }
}

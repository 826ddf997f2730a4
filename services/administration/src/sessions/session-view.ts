import type { Account, OpenSession } from '@partsbus/contracts/administration/accounts'
import type { AdministratorDocument } from '../administrators/administrator-store.js'
import type { SessionDocument } from './session-store.js'

/** @param administrator null: the holder of ADMIN_TOKEN */
export function viewOpenSession(session: SessionDocument, administrator: AdministratorDocument | null): OpenSession {
  const { _id, started_at, ends_at, address } = session
  return {
    session: { id: _id, started_at: started_at.toISOString(), ends_at: ends_at.toISOString(), address },
    administrator: administrator && viewAccount(administrator),
  }
}

export function viewAccount(administrator: AdministratorDocument): Account {
  const { _id, name, display_name, role, locale, time_zone, theme } = administrator
  return { id: _id, name, display_name, role, locale, time_zone, theme }
}

import type { Administrator } from '@partsbus/contracts/administration/administrator'
import type { AdministratorDocument } from './administrator-store.js'

/** @param sessions open ones */
export function viewAdministrator(administrator: AdministratorDocument, sessions: number): Administrator {
  const { _id, name, display_name, role, is_active, password, last_seen_at, created_at } = administrator
  return {
    id: _id,
    name,
    display_name,
    role,
    is_active,
    has_password: password !== null,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    sessions,
    created_at: created_at.toISOString(),
  }
}

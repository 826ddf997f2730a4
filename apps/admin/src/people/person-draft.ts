import type { Administrator } from '@partsbus/contracts/administration/administrator'

/** The fields of a person that an owner may change. */
export type PersonDraft = Pick<Administrator, 'display_name' | 'role' | 'is_active'>

export const ROLES = ['viewer', 'manager', 'owner'] as const

export const toPersonDraft = ({ display_name, role, is_active }: PersonDraft): PersonDraft => ({
  display_name,
  role,
  is_active,
})

export type PersonState = 'active' | 'invited' | 'off'

export function personState({
  is_active,
  has_password,
}: Pick<Administrator, 'is_active' | 'has_password'>): PersonState {
  if (!is_active) return 'off'
  return has_password ? 'active' : 'invited'
}

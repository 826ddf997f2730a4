import type { AdministratorRole } from '@partsbus/contracts/administration/administrator'

export type Role = AdministratorRole

const RANKS: Record<Role, number> = { viewer: 0, manager: 1, owner: 2 }

export const isAtLeast = (role: Role, least: Role) => RANKS[role] >= RANKS[least]

import { isAtLeast, type Role } from '../calls/role.js'
import type { Overview, References } from './overview-answer.js'

export type Step = 'storage' | 'point' | 'erp' | 'list' | 'partner'

/** Who may take a step. A manager creates the storage of a list together with it. */
const ROLES: Record<Step, Role> = {
  storage: 'owner',
  point: 'manager',
  erp: 'owner',
  list: 'manager',
  partner: 'owner',
}

export interface FirstStep {
  step: Step
  isDone: boolean
  /** A shop that sells from price lists alone has no ERP to connect. */
  isOptional?: boolean
}

/** The steps of a new installation that this role may take, and which of them are done; none while it is not known. */
export function firstSteps(overview: Overview, references: References | undefined, role: Role): FirstStep[] {
  const { stock, imports, apis } = overview
  if (stock === null || imports === null) return []
  const hasImport = imports.day.completed > 0 || imports.last.some(({ status }) => status === 'completed')
  const hasList = references?.price_lists.some(({ last_file_name }) => last_file_name !== null) ?? false
  // a list makes its own storage
  const steps: FirstStep[] = [
    { step: 'list', isDone: hasImport || hasList },
    { step: 'storage', isDone: stock.storages > 0 },
    { step: 'point', isDone: stock.pick_up_points > 0 },
    { step: 'erp', isDone: apis.erp.is_enabled && apis.erp.is_ready, isOptional: true },
    { step: 'partner', isDone: apis.b2b.is_enabled && apis.b2b.is_ready },
  ]
  return steps.filter(({ step }) => isAtLeast(role, ROLES[step]))
}

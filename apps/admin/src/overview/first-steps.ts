import type { Overview, References } from './overview-answer.js'

export type Step = 'storage' | 'point' | 'erp' | 'list' | 'partner'

export interface FirstStep {
  step: Step
  isDone: boolean
  /** A shop that sells from price lists alone has no ERP to connect. */
  isOptional?: boolean
}

/** The steps of a new installation, and which of them are done; none while it is not known. */
export function firstSteps(overview: Overview, references: References | undefined): FirstStep[] {
  const { stock, imports, apis } = overview
  if (stock === null || imports === null) return []
  const hasImport = imports.day.completed > 0 || imports.last.some(({ status }) => status === 'completed')
  const hasList = references?.price_lists.some(({ last_file_name }) => last_file_name !== null) ?? false
  return [
    { step: 'storage', isDone: stock.storages > 0 },
    { step: 'point', isDone: stock.pick_up_points > 0 },
    { step: 'erp', isDone: apis.erp.is_enabled && apis.erp.is_ready, isOptional: true },
    { step: 'list', isDone: hasImport || hasList },
    { step: 'partner', isDone: apis.b2b.is_enabled && apis.b2b.is_ready },
  ]
}

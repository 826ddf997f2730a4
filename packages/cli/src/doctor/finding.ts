import type { ProblemCode } from '@partsbus/contracts/administration/problem-codes'

export interface Finding {
  /** stable, for scripts */
  code: ProblemCode
  /** `error`: data or a function is lost or in danger; `warning`: it will be */
  severity: 'error' | 'warning'
  message: string
  /** what to do */
  advice: string
  /** whether `--fix` repaired it */
  isFixed?: boolean
}

/** A finding with the repair that `--fix` makes. Only repairs that lose nothing are offered. */
export interface Diagnosis extends Omit<Finding, 'isFixed'> {
  fix?: () => Promise<unknown>
}

/** Looks at one thing. What it could not look at is thrown. */
export type Check = () => Promise<Diagnosis[]>

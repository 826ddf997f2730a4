import type { Finding } from '@partsbus/contracts/diagnosis'

/** A finding with its repair, where there is one that loses nothing. */
export interface RepairableFinding extends Omit<Finding, 'isFixed'> {
  fix?: () => Promise<unknown>
}

/** Looks at one thing. What it could not look at is thrown. */
export interface Check {
  /** for people, and for {@link diagnose} */
  name: string
  run(): Promise<RepairableFinding[]>
}

import type { CallSettings } from '@partsbus/contracts/settings'

/** Outcome of a run, as `last_run` shows it. */
export interface RunResult {
  outcome: 'imported' | 'unchanged' | 'failed'
  message: string
  task_id: number | null
}

/** One run of a source. */
export interface SourceRun {
  listId: number
  sourceId: number
  settings: CallSettings
  /** runs only where it is still due: another replica may have run it since it was found so */
  isScheduled: boolean
  /** ends the run, as if it had not begun */
  stop: AbortSignal
}

import type { CallSettings } from '@partsbus/contracts/administration/settings'

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
  /** runs only if it is still due, because another replica may have run it since */
  isScheduled: boolean
  /** aborts the run, after which the source is still due */
  stop: AbortSignal
}

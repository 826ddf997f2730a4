import type { TaskFailure } from './import-task-record.js'

/** A stage of an update pipeline. */
interface Stage {
  $set: Record<string, unknown>
}

/**
 * Update stages that end a task (rules.md#task-end). They make its counters equal: rows that a failed or cancelled
 * import did not reach are not counted (rules.md#task-life). Texts are literals, since the update is a pipeline.
 */
function ending(fields: object, isDiscarded: boolean): Stage[] {
  return [
    {
      $set: {
        ...fields,
        is_switching: false,
        completed_at: '$$NOW',
        total_rows: '$processed_rows',
        ...(isDiscarded && { discarded: true }),
      },
    },
  ]
}

export function endCompleted(superseded: boolean): Stage[] {
  return ending({ status: 'completed', error_message: null, error_code: null, superseded }, superseded)
}

export function endFailed({ code, message }: TaskFailure): Stage[] {
  const error_message = { $literal: message }
  return ending({ status: 'failed', error_message, error_code: { $literal: code }, superseded: false }, true)
}

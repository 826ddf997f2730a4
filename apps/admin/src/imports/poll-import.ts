import { AnswerError } from '@partsbus/client/answer-error'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'

/** As far as it matters here. */
type State = Pick<AdminImportTask, 'status'>

/** While something runs, ms. */
export const BUSY_EVERY_MS = 3_000

export const isFinal = ({ status }: State): boolean => status === 'completed' || status === 'failed'

/** An import is kept for a while only. */
export const isGone = (error: unknown): boolean => error instanceof AnswerError && error.status === 404

/**
 * How often an import is read, until it has ended or is gone.
 * @param known what was read last; undefined before the first time
 */
export const pollImportEvery = (known: { data?: State | undefined; error: unknown } | undefined): number | false =>
  isGone(known?.error) || (known?.data && isFinal(known.data)) ? false : BUSY_EVERY_MS

/** The options in the headers of one ERP request. They travel in the bus header `x-batch-options`. */
export interface BatchOptions {
  /** `X-Result-Details: 1` (erp.md#result-details) */
  details?: boolean
  /** `X-Update-Mode: replace`, for products only (erp.md#update-mode) */
  replace?: boolean
  /** `X-Full-Sync: <id>` (erp.md#full-sync) */
  fullSync?: string
}

export const noOptions: BatchOptions = Object.freeze({})

/** As a service receives it; what it does not know or cannot read is left out. */
export function readBatchOptions(text: string | undefined): BatchOptions {
  if (!text) return noOptions
  const { details, replace, fullSync } = JSON.parse(text) as Record<string, unknown>
  return {
    ...(details === true && { details }),
    ...(replace === true && { replace }),
    ...(typeof fullSync === 'string' && { fullSync }),
  }
}

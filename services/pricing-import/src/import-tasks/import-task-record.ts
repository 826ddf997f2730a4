import type { ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { RequestOrigin } from '@partsbus/platform/process/spans'
import type { NumberedRow, ReadingRules } from '../rows/row-reader.js'
import type { SheetPosition } from './row-location.js'
import type { SkipCode } from '../rows/skip-code.js'

export type TaskStatus = ImportTask['status']

/** Row counters; `imported_rows + skipped_rows = processed_rows ≤ total_rows` at every reading. */
export interface RowCounters {
  processed_rows: number
  imported_rows: number
  skipped_rows: number
  /** `skipped_rows` by reason */
  skipped_by_code: Partial<Record<SkipCode, number>>
  /** imported rows without the name of a product */
  unnamed_rows: number
  /** imported rows without a price */
  unpriced_rows: number
}

/** An import task as it is stored. */
export interface ImportTaskRecord extends Omit<RowCounters, 'unnamed_rows' | 'unpriced_rows'> {
  /** see {@link RowCounters}; absent in tasks of earlier versions */
  unnamed_rows?: number
  unpriced_rows?: number
  /** also the version that it makes */
  id: number
  price_list_id: number
  status: TaskStatus
  source_type: ImportTask['source_type']
  file_id: number
  file_name: string
  /** bytes */
  file_size: number
  /** the settings of the list at the upload, and the brands that were known at the first attempt */
  rules: ReadingRules
  mode: 'replace' | 'merge'
  min_rows_ratio: number | null
  total_rows: number
  /** of the file; null while it is not known, or when there is none */
  header: NumberedRow | null
  /** when all sheets of a workbook were read; absent otherwise */
  sheets?: SheetPosition[]
  /** the last row of the file that is written, with all before it */
  resume_row: number
  error_message: string | null
  superseded: boolean
  started_at: Date | null
  completed_at: Date | null
  /** bytes that an archive may unpack to */
  max_unpacked: number
  created_at: Date
  /** the name of an administrator, `partner`, or the id of a source; absent in tasks of earlier versions */
  created_by?: string | number
  /** `mode` is `merge` for this import alone, whatever the mode of the list */
  merges_once?: boolean
  /** the failed task of the same file that it retries */
  retry_of?: number
  /** why it failed; absent in tasks of earlier versions */
  error_code?: string | null
  /** of the request that brought the file, for the log */
  request_id: string
  /** of that request; absent in tasks of earlier versions */
  request_origin?: RequestOrigin
  /** raised by each claim; writes of an earlier attempt change nothing */
  attempt: number
  /** attempts since rows were last written */
  tries: number
  /** the list may be switched already, so the task cannot be cancelled any more */
  is_switching: boolean
}

export type NewTask = Pick<
  ImportTaskRecord,
  | 'id'
  | 'price_list_id'
  | 'source_type'
  | 'file_id'
  | 'file_name'
  | 'file_size'
  | 'rules'
  | 'mode'
  | 'min_rows_ratio'
  | 'max_unpacked'
  | 'request_id'
  | 'request_origin'
  | 'created_by'
  | 'merges_once'
  | 'retry_of'
>

/** The progress that a worker saves. */
export type Progress = Partial<
  Pick<
    ImportTaskRecord,
    | 'rules'
    | 'total_rows'
    | 'header'
    | 'sheets'
    | 'unnamed_rows'
    | 'unpriced_rows'
    | 'processed_rows'
    | 'imported_rows'
    | 'skipped_rows'
    | 'skipped_by_code'
    | 'resume_row'
    | 'is_switching'
  >
>

/** Why a task failed. */
export interface TaskFailure {
  code: string
  message: string
}

import type { LocalFile } from '../files/local-file.js'
import type { ComparedOffer, KeyComparison } from '../rows/compare-keys.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import type { FilePreview } from './file-preview.js'
import type { RowCount } from './count-rows.js'
import type { RowBatch } from './reader-protocol.js'

/** A batch whose memory is reused after `release`. */
export interface ReleasableBatch extends RowBatch {
  release(): void
}

/**
 * Reads one price list by the rules of its list: either `preview` and `compareKeys`, or `count` followed by `batches`
 * and `containsKeys`. Every method may throw PriceFileError, ColumnsNotFound or ReaderUnavailable.
 */
export interface PriceListReader {
  /** Problems of the format, such as missing columns, are part of the result. */
  preview(file: LocalFile, rules: ReadingRules): Promise<FilePreview>
  /** @param keepKeys whether `containsKeys` is called later */
  count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount>
  /** The rows as they are stored. @returns the final counters */
  batches(options: BatchOptions): AsyncGenerator<ReleasableBatch, RowCounters>
  /** 1 for each key that the counted file contains, 0 for the others. */
  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array>
  /** Compares live offers with a previewed file whose columns were found. */
  compareKeys(offers: ComparedOffer[]): Promise<KeyComparison>
  /** Stops the reader, also in the middle of a request. */
  close(): Promise<void>
}

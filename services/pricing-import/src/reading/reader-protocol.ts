import { join } from 'node:path'
import type { FileKind } from '@partsbus/price-file/file-kind'
import type { LocalFile } from '../files/local-file.js'
import type { ComparedOffer, KeyComparison } from '../rows/compare-keys.js'
import type { MissingColumns } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import type { RowCount } from './count-rows.js'
import type { FilePreview } from './file-preview.js'

/** Requests of the service to the child process that reads a price list. */
export type ReaderRequest =
  | { request: 'open'; file: Omit<LocalFile, 'path'>; rules: ReadingRules }
  | { request: 'preview' }
  | { request: 'count'; keepKeys: boolean }
  | { request: 'compare'; offers: ComparedOffer[] }
  | { request: 'write'; version: number; afterRow: number; atOnce: number }
  | { request: 'next' }
  | { request: 'contains-keys'; keys: Array<[brandKey: string, articleKey: string]> }

/** A batch of rows without its documents. */
export interface BatchHead {
  imported: number
  leftOut: number
  /** number of its last row */
  last: number
  /** the counters after this batch is written */
  counters: RowCounters
}

/** Rows as concatenated BSON documents. */
export interface RowBatch extends BatchHead {
  offers: Uint8Array
  skipped: Uint8Array
}

/** A file outside of its archive. */
export interface OpenedFile {
  kind: FileKind
  unpackedBytes: number
}

/** Responses of the child process, one for each request. */
export type ReaderResponse =
  | ({ answer: 'opened' } & OpenedFile)
  | { answer: 'previewed'; preview: FilePreview }
  | { answer: 'counted'; count: RowCount }
  | { answer: 'ready' }
  /** the documents are in the file `batchPath`, offers first, until the next request */
  | { answer: 'batch'; head: BatchHead; offerBytes: number; skippedBytes: number }
  | { answer: 'end'; counters: RowCounters }
  | { answer: 'keys'; contained: Uint8Array }
  | { answer: 'compared'; comparison: KeyComparison }
  | { answer: 'columns-not-found'; message: string; columns: MissingColumns }

/** File for the documents of a batch. As messages they would cost the service three copies and much garbage. */
export function batchPath(folder: string): string {
  return join(folder, 'batch')
}

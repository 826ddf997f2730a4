import { join } from 'node:path'
import type { Preview } from '@partsbus/contracts/price-list'
import type { LocalFile } from '../files/local-file.js'
import type { NumberedRow, ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../tasks/import-task-record.js'

/** What the service asks of the child that reads a price list. */
export type RowOrder =
  | { order: 'open'; file: LocalFile; folder: string; rules: ReadingRules }
  | { order: 'preview'; folder: string }
  | { order: 'count'; folder: string; keepKeys: boolean }
  | { order: 'write'; folder: string; version: number; afterRow: number; atOnce: number }
  | { order: 'next' }
  | { order: 'named'; keys: Array<[brandKey: string, articleKey: string]> }

/** What the first reading of a file tells: how much there is to do. */
export interface RowCount {
  /** rows of the file without its header */
  total: number
  importable: number
  header: NumberedRow | null
}

/** What a batch of rows is about; its documents are elsewhere. */
export interface BatchHead {
  imported: number
  leftOut: number
  /** the last row in it */
  last: number
  /** as they are once it is written */
  counters: RowCounters
}

/** Rows as they are stored: BSON documents, one behind the other. */
export interface RowBatch extends BatchHead {
  offers: Uint8Array
  skipped: Uint8Array
}

/** What the child answers, one for each order. */
export type RowAnswer =
  | { answer: 'opened'; unpackedBytes: number }
  | { answer: 'previewed'; preview: Preview }
  | { answer: 'counted'; count: RowCount }
  | { answer: 'ready' }
  /** the documents stand in the file `batchPath` names, offers first; it holds until the next order */
  | { answer: 'batch'; head: BatchHead; offerBytes: number; skippedBytes: number }
  | { answer: 'end'; counters: RowCounters }
  | { answer: 'named'; named: Uint8Array }
  | { answer: 'no layout'; message: string }

/** Where the child leaves the documents of a batch: through messages they would cost the service three copies and its collector. */
export function batchPath(folder: string): string {
  return join(folder, 'batch')
}

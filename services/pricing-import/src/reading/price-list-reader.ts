import type { Preview } from '@partsbus/contracts/price-list'
import type { LocalFile } from '../files/local-file.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import type { RowBatch, RowCount } from './reader-protocol.js'

/** A batch in memory that is used again after `release`. */
export interface ReleasableBatch extends RowBatch {
  release(): void
}

/**
 * Reads one price list by the rules of its list. Opened, then either previewed, or counted, then read in batches and
 * asked for keys. All of it fails with PriceFileError, NoLayout or ReaderUnavailable.
 */
export interface PriceListReader {
  preview(file: LocalFile, rules: ReadingRules): Promise<Preview>
  /** @param keepKeys whether `containsKeys` is called later */
  count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount>
  /** The rows as they are stored. @returns the final counters */
  batches(options: BatchOptions): AsyncGenerator<ReleasableBatch, RowCounters>
  /** 1 for each key that the counted file contains, 0 for the others. */
  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array>
  /** Ends the reader, whatever it is doing. */
  close(): Promise<void>
}

/** Text of that size is read within a few dozen milliseconds and megabytes, whatever it contains. */
const MAX_IN_PROCESS_BYTES = 256 * 1024

/**
 * Opens a reader for a file. Everything that has to be unpacked, and every large file, is read in a process of its own,
 * which can be killed. Starting one takes about 150 ms of processor time, far more than a small text file does.
 * @param folder an empty private folder
 * @param memoryMb of the process
 */
export async function openPriceListReader(
  name: string,
  bytes: number,
  folder: string,
  memoryMb?: number,
): Promise<PriceListReader> {
  if (bytes <= MAX_IN_PROCESS_BYTES && /\.(?:csv|txt)$/i.test(name.trim())) {
    const { InProcessReader } = await import('./in-process-reader.js')
    return new InProcessReader(folder)
  }
  const { OutOfProcessReader } = await import('./out-of-process-reader.js')
  return OutOfProcessReader.open(memoryMb)
}

import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Preview } from '@partsbus/contracts/price-list'
import { ReaderProcess, readingLimitMs } from '@partsbus/price-file/reader-process/reader-process'
import { ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import type { LocalFile } from '../files/local-file.js'
import { NoLayout } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import { batchPath, type RowAnswer, type RowBatch, type RowCount, type RowOrder } from './row-orders.js'

// of the build, also where this file is run from its source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reading', 'row-child.js')

const FIRST_BYTES = 256 * 1024

/** A batch whose memory is wanted back. */
export interface LentBatch extends RowBatch {
  giveBack(): void
}

/** A price list that a child process reads by a list's rules. All of it fails with PriceFileError, NoLayout or ReaderUnavailable. */
export class CagedRows {
  private readonly reader: ReaderProcess<RowOrder, RowAnswer>
  /** memory of batches that are done: fresh memory for each makes the collector look through the whole service ever and again */
  private readonly free: Buffer[] = []
  private file: FileHandle | undefined

  static async open(): Promise<CagedRows> {
    return new CagedRows(await ReaderProcess.open<RowOrder, RowAnswer>(CHILD))
  }

  private constructor(reader: ReaderProcess<RowOrder, RowAnswer>) {
    this.reader = reader
  }

  /** Ends the child, whatever it is doing. */
  async close(): Promise<void> {
    await this.reader.close()
    await this.file?.close()
  }

  async preview(file: LocalFile, rules: ReadingRules): Promise<Preview> {
    const limitMs = await this.openFile(file, rules)
    return (await this.request({ order: 'preview', folder: this.reader.folder }, ['previewed'], limitMs)).preview
  }

  /** First. @param keepKeys whether `named` is to be asked */
  async count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount> {
    const limitMs = await this.openFile(file, rules)
    return (await this.request({ order: 'count', folder: this.reader.folder, keepKeys }, ['counted'], limitMs)).count
  }

  /** Unpacks the file. @returns the time limit of a reading */
  private async openFile(file: LocalFile, rules: ReadingRules): Promise<number> {
    const limitMs = readingLimitMs((await stat(file.path)).size)
    const request: RowOrder = { order: 'open', file, folder: this.reader.folder, rules }
    return readingLimitMs((await this.request(request, ['opened'], limitMs)).unpackedBytes)
  }

  /** Then: the rows as they are stored. The next batch is read while one is worked on. @returns the final counters */
  async *batches(options: BatchOptions): AsyncGenerator<LentBatch, RowCounters> {
    // without a time limit: the reader waits for the database, and the first reading was bounded
    await this.request({ order: 'write', folder: this.reader.folder, ...options }, ['ready'])
    const file = await open(batchPath(this.reader.folder), 'r')
    this.file = file
    let next = this.request({ order: 'next' }, ['batch', 'end'])
    for (;;) {
      const got = await next
      if (got.answer === 'end') return got.counters
      const batch = await this.fetch(file, got)
      next = this.request({ order: 'next' }, ['batch', 'end'])
      // its failure is met when it is awaited, not before
      next.catch(() => undefined)
      yield batch
    }
  }

  /** Which of these keys the file names: 1 or 0 for each. */
  async named(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array> {
    return (await this.request({ order: 'named', keys }, ['named'])).named
  }

  private async fetch(
    file: FileHandle,
    { head, offerBytes, skippedBytes }: Extract<RowAnswer, { answer: 'batch' }>,
  ): Promise<LentBatch> {
    const bytes = offerBytes + skippedBytes
    const fit = this.free.findIndex(({ length }) => length >= bytes)
    const memory =
      this.free.splice(fit, fit === -1 ? 0 : 1)[0] ??
      Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, Math.ceil(bytes * 1.25)))
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await file.read(memory, at, bytes - at, at)
      if (bytesRead === 0) throw new ReaderUnavailable('The reader left no rows.')
      at += bytesRead
    }
    return {
      ...head,
      offers: memory.subarray(0, offerBytes),
      skipped: memory.subarray(offerBytes, bytes),
      giveBack: () => {
        this.free.push(memory)
      },
    }
  }

  private async request<Name extends RowAnswer['answer']>(
    order: RowOrder,
    wanted: Name[],
    withinMs?: number,
  ): Promise<Extract<RowAnswer, { answer: Name }>> {
    const got = await this.reader.request(order, withinMs)
    if (got.answer === 'no layout') throw new NoLayout(got.message)
    if (!isOneOf(got, wanted)) throw new ReaderUnavailable('The reader gave another response than requested.')
    return got
  }
}

function isOneOf<Name extends RowAnswer['answer']>(
  answer: RowAnswer,
  names: Name[],
): answer is Extract<RowAnswer, { answer: Name }> {
  return names.some((name) => name === answer.answer)
}

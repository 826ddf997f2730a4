import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Preview } from '@partsbus/contracts/price-list'
import { ReaderProcess, defaultReaderLimits } from '@partsbus/price-file/reader-process/reader-process'
import { PriceFileError } from '@partsbus/price-file/price-file-error'
import type { LocalFile } from '../files/local-file.js'
import { NoLayout } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import { batchPath, type RowAnswer, type RowBatch, type RowCount, type RowOrder } from './row-orders.js'

// of the build, also where this file is run from its source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reading', 'row-child.js')

/** A day: while the reader waits for the database its time says nothing about the file. */
const WAITING_MS = 86_400_000

const FIRST_BYTES = 256 * 1024

/** A batch whose memory is wanted back. */
export interface LentBatch extends RowBatch {
  giveBack(): void
}

/** A price list that a child process reads by a list's rules. All of it fails with PriceFileError or NoLayout. */
export class CagedRows {
  private readonly cage: ReaderProcess<RowOrder, RowAnswer>
  /** memory of batches that are done: fresh memory for each makes the collector look through the whole service ever and again */
  private readonly free: Buffer[] = []
  private file: FileHandle | undefined

  static async open(): Promise<CagedRows> {
    return new CagedRows(
      await ReaderProcess.open<RowOrder, RowAnswer>(CHILD, { ...defaultReaderLimits, maxMs: WAITING_MS }),
    )
  }

  private constructor(cage: ReaderProcess<RowOrder, RowAnswer>) {
    this.cage = cage
  }

  /** Ends the child, whatever it is doing. */
  async close(): Promise<void> {
    await this.cage.close()
    await this.file?.close()
  }

  async preview(file: LocalFile, rules: ReadingRules): Promise<Preview> {
    this.cage.limitTime(defaultReaderLimits.maxMs)
    return (await this.ask({ order: 'preview', file, folder: this.cage.folder, rules }, 'previewed')).preview
  }

  /** First. @param keepKeys whether `named` is to be asked */
  async count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount> {
    this.cage.limitTime(defaultReaderLimits.maxMs)
    return (await this.ask({ order: 'count', file, folder: this.cage.folder, rules, keepKeys }, 'counted')).count
  }

  /** Then: the rows as they are stored. The next batch is read while one is worked on. @returns the final counters */
  async *batches(options: BatchOptions): AsyncGenerator<LentBatch, RowCounters> {
    this.cage.limitTime(WAITING_MS)
    await this.ask({ order: 'write', folder: this.cage.folder, ...options }, 'ready')
    const file = await open(batchPath(this.cage.folder), 'r')
    this.file = file
    let next = this.ask({ order: 'next' }, 'batch', 'end')
    for (;;) {
      const got = await next
      if (got.answer === 'end') return got.counters
      const batch = await this.fetch(file, got)
      next = this.ask({ order: 'next' }, 'batch', 'end')
      // its failure is met when it is awaited, not before
      next.catch(() => undefined)
      yield batch
    }
  }

  /** Which of these keys the file names: 1 or 0 for each. */
  async named(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array> {
    return (await this.ask({ order: 'named', keys }, 'named')).named
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
      if (bytesRead === 0) throw new PriceFileError('CAGE', 'The reader left no rows.')
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

  private async ask<Name extends RowAnswer['answer']>(
    order: RowOrder,
    ...wanted: Name[]
  ): Promise<Extract<RowAnswer, { answer: Name }>> {
    const got = await this.cage.ask(order)
    if (got.answer === 'no layout') throw new NoLayout(got.message)
    if (!isOneOf(got, wanted)) throw new PriceFileError('CAGE', 'The reader gave no answer.')
    return got
  }
}

function isOneOf<Name extends RowAnswer['answer']>(
  answer: RowAnswer,
  names: Name[],
): answer is Extract<RowAnswer, { answer: Name }> {
  return names.some((name) => name === answer.answer)
}

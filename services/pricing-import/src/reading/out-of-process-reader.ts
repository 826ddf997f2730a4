import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { traceStep } from '@partsbus/platform/process/spans'
import { ReaderProcess, readingLimitMs } from '@partsbus/price-file/reader-process/reader-process'
import { ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import type { LocalFile } from '../files/local-file.js'
import type { ComparedOffer, KeyComparison } from '../rows/compare-keys.js'
import { ColumnsNotFound } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import type { PriceListReader, ReleasableBatch } from './price-list-reader.js'
import type { FilePreview } from './file-preview.js'
import { batchPath, type ReaderResponse, type ReaderRequest } from './reader-protocol.js'
import type { RowCount } from './count-rows.js'

// always the built file, also when this module runs from source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reading', 'reader-child.js')

const FIRST_BYTES = 256 * 1024

/** Reads a price list in a child process, which may be killed at any time. */
export class OutOfProcessReader implements PriceListReader {
  private readonly process: ReaderProcess<ReaderRequest, ReaderResponse>
  /** memory of released batches; allocating for each batch would trigger full collections of the service's heap */
  private readonly freeBuffers: Buffer[] = []
  private file: FileHandle | undefined

  static async open(memoryMb?: number): Promise<OutOfProcessReader> {
    return new OutOfProcessReader(await ReaderProcess.open<ReaderRequest, ReaderResponse>(CHILD, memoryMb))
  }

  private constructor(process: ReaderProcess<ReaderRequest, ReaderResponse>) {
    this.process = process
  }

  async close(): Promise<void> {
    await this.process.close()
    await this.file?.close()
  }

  async preview(file: LocalFile, rules: ReadingRules): Promise<FilePreview> {
    const limitMs = await this.openFile(file, rules)
    const request: ReaderRequest = { request: 'preview', folder: this.process.folder }
    return (await traceStep('price-list.read', () => this.request(request, ['previewed'], limitMs))).preview
  }

  async count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount> {
    const limitMs = await this.openFile(file, rules)
    const request: ReaderRequest = { request: 'count', folder: this.process.folder, keepKeys }
    return (await traceStep('price-list.read', () => this.request(request, ['counted'], limitMs))).count
  }

  /** Unpacks the file. @returns the time limit for reading it */
  private async openFile(file: LocalFile, rules: ReadingRules): Promise<number> {
    const limitMs = readingLimitMs((await stat(file.path)).size)
    const request: ReaderRequest = { request: 'open', file, folder: this.process.folder, rules }
    const opened = await traceStep('price-list.unpack', () => this.request(request, ['opened'], limitMs))
    return readingLimitMs(opened.unpackedBytes)
  }

  /** The child reads the next batch while the caller writes the current one. */
  async *batches(options: BatchOptions): AsyncGenerator<ReleasableBatch, RowCounters> {
    // without a time limit: the reader waits for the database, and the first reading was bounded
    await this.request({ request: 'write', folder: this.process.folder, ...options }, ['ready'])
    const file = await open(batchPath(this.process.folder), 'r')
    this.file = file
    let next = this.request({ request: 'next' }, ['batch', 'end'])
    for (;;) {
      const got = await next
      if (got.answer === 'end') return got.counters
      const batch = await this.readBatch(file, got)
      next = this.request({ request: 'next' }, ['batch', 'end'])
      // a failure is handled when it is awaited
      next.catch(() => undefined)
      yield batch
    }
  }

  async containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array> {
    return (await this.request({ request: 'contains-keys', keys }, ['keys'])).contained
  }

  async compareKeys(offers: ComparedOffer[]): Promise<KeyComparison> {
    return (await this.request({ request: 'compare', offers }, ['compared'])).comparison
  }

  private async readBatch(
    file: FileHandle,
    { head, offerBytes, skippedBytes }: Extract<ReaderResponse, { answer: 'batch' }>,
  ): Promise<ReleasableBatch> {
    const bytes = offerBytes + skippedBytes
    const fit = this.freeBuffers.findIndex(({ length }) => length >= bytes)
    const memory =
      this.freeBuffers.splice(fit, fit === -1 ? 0 : 1)[0] ??
      Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, Math.ceil(bytes * 1.25)))
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await file.read(memory, at, bytes - at, at)
      if (bytesRead === 0) throw new ReaderUnavailable('The reader wrote fewer rows than it reported.')
      at += bytesRead
    }
    return {
      ...head,
      offers: memory.subarray(0, offerBytes),
      skipped: memory.subarray(offerBytes, bytes),
      release: () => {
        this.freeBuffers.push(memory)
      },
    }
  }

  private async request<Name extends ReaderResponse['answer']>(
    request: ReaderRequest,
    wanted: Name[],
    withinMs?: number,
  ): Promise<Extract<ReaderResponse, { answer: Name }>> {
    const got = await this.process.request(request, withinMs)
    if (got.answer === 'columns-not-found') throw new ColumnsNotFound(got.message, got.columns)
    if (!isOneOf(got, wanted)) throw new ReaderUnavailable('The reader sent an unexpected response.')
    return got
  }
}

function isOneOf<Name extends ReaderResponse['answer']>(
  response: ReaderResponse,
  names: Name[],
): response is Extract<ReaderResponse, { answer: Name }> {
  return names.some((name) => name === response.answer)
}

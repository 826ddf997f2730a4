import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { traceStep } from '@partsbus/platform/process/spans'
import type { CheckRequest, CheckResponse } from '@partsbus/price-file/reader-process/check-protocol'
import { type PooledReader, ReaderPool } from '@partsbus/price-file/reader-process/reader-pool'
import { readingLimitMs } from '@partsbus/price-file/reader-process/reader-process'
import { ReaderUnavailable } from '@partsbus/price-file/price-file-error'
import type { LocalFile } from '../files/local-file.js'
import type { ComparedOffer, KeyComparison } from '../rows/compare-keys.js'
import { ColumnsNotFound } from '../rows/layout.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import type { BatchOptions } from './batch-rows.js'
import type { PriceListReader, ReleasableBatch } from './price-list-reader.js'
import type { FilePreview } from './file-preview.js'
import { batchPath, type OpenedFile, type ReaderResponse, type ReaderRequest } from './reader-protocol.js'
import type { RowCount } from './count-rows.js'

// always the built file, also when this module runs from source
const CHILD = join(import.meta.dirname, '..', '..', 'dist', 'reading', 'reader-child.js')

const FIRST_BYTES = 256 * 1024

type ProcessRequest = ReaderRequest | CheckRequest
type ProcessResponse = ReaderResponse | CheckResponse

/** Processes that check and read price lists. */
export type PriceListReaders = ReaderPool<ProcessRequest, ProcessResponse>

/** @param maxReaders readers that are open at a time */
export function createReaderPool({
  maxReaders,
  memoryMb,
}: {
  maxReaders: number
  memoryMb?: number
}): PriceListReaders {
  return new ReaderPool({ script: CHILD, maxReaders, memoryMb })
}

/** Reads a price list in a child process, which may be killed at any time. */
export class OutOfProcessReader implements PriceListReader {
  /** memory of released batches; allocating for each batch would trigger full collections of the service's heap */
  private readonly freeBuffers: Buffer[] = []
  private file: FileHandle | undefined
  private opened: OpenedFile | undefined

  static async open(readers: PriceListReaders, name: string, bytes: number): Promise<OutOfProcessReader> {
    return new OutOfProcessReader(await readers.open(name, bytes))
  }

  private constructor(private readonly process: PooledReader<ProcessRequest, ProcessResponse>) {}

  async close(): Promise<void> {
    await this.process.close()
    await this.file?.close()
  }

  async preview(file: LocalFile, rules: ReadingRules): Promise<FilePreview> {
    const limitMs = await this.openFile(file, rules)
    const { preview } = await traceStep('price-list.read', () =>
      this.request({ request: 'preview' }, ['previewed'], limitMs),
    )
    if (!preview.problem) this.finish()
    return preview
  }

  async count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount> {
    const limitMs = await this.openFile(file, rules)
    const request: ReaderRequest = { request: 'count', keepKeys }
    return (await traceStep('price-list.read', () => this.request(request, ['counted'], limitMs))).count
  }

  /** Unpacks the file. @returns the time limit for reading it */
  private async openFile({ path, ...file }: LocalFile, rules: ReadingRules): Promise<number> {
    const limitMs = readingLimitMs((await stat(path)).size)
    await this.process.take(path)
    const request: ReaderRequest = { request: 'open', file, rules }
    this.opened = await traceStep('price-list.unpack', () => this.request(request, ['opened'], limitMs))
    return readingLimitMs(this.opened.unpackedBytes)
  }

  /** The process may read another file, unless a library parsed this one. */
  private finish(): void {
    if (this.opened) this.process.finish(this.opened.unpackedBytes, ['text', 'zip', 'html'].includes(this.opened.kind))
  }

  /** The child reads the next batch while the caller writes the current one. */
  async *batches(options: BatchOptions): AsyncGenerator<ReleasableBatch, RowCounters> {
    // without a time limit: the reader waits for the database, and the first reading was bounded
    await this.request({ request: 'write', ...options }, ['ready'])
    const file = await open(batchPath(this.process.folder), 'r')
    this.file = file
    let next = this.request({ request: 'next' }, ['batch', 'end'])
    for (;;) {
      const got = await next
      if (got.answer === 'end') {
        this.finish()
        return got.counters
      }
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
  response: ProcessResponse,
  names: Name[],
): response is Extract<ReaderResponse, { answer: Name }> {
  return names.some((name) => name === response.answer)
}

import { traceStep } from '@partsbus/platform/process/spans'
import type { LocalFile } from '../files/local-file.js'
import type { ComparedOffer, KeyComparison } from '../rows/compare-keys.js'
import type { ReadingRules } from '../rows/row-reader.js'
import type { RowCounters } from '../import-tasks/import-task-record.js'
import { type BatchOptions, batchRows } from './batch-rows.js'
import { type CountedRows, countRows, rowCount, type RowCount } from './count-rows.js'
import type { FilePreview } from './file-preview.js'
import { previewRows } from './preview-rows.js'
import type { PriceListReader, ReleasableBatch } from './price-list-reader.js'
import { RowSource } from './row-source.js'

/** Reads a small text file in the service's own process. */
export class InProcessReader implements PriceListReader {
  private counted: { source: RowSource; rules: ReadingRules; rows: CountedRows } | undefined

  constructor(private readonly folder: string) {}

  async preview(file: LocalFile, rules: ReadingRules): Promise<FilePreview> {
    const source = await this.unpack(file, rules)
    const { preview, counted } = await traceStep('price-list.read', () => previewRows(source, rules, this.folder))
    if (counted) this.counted = { source, rules, rows: counted }
    return preview
  }

  async count(file: LocalFile, rules: ReadingRules, keepKeys: boolean): Promise<RowCount> {
    const source = await this.unpack(file, rules)
    const rows = await traceStep('price-list.read', () =>
      countRows(source, rules, this.folder, keepKeys ? 'keys' : 'nothing'),
    )
    this.counted = { source, rules, rows }
    return rowCount(rows)
  }

  async *batches(options: BatchOptions): AsyncGenerator<ReleasableBatch, RowCounters> {
    const { source, rules, rows } = this.requireCounted()
    const batches = batchRows(source, rules, rows, options)
    for (;;) {
      const next = await batches.next()
      if (next.done) return next.value
      const { offers, skipped, ...head } = next.value
      // copied because the next batch is read into the same memory while this one is written
      yield { ...head, offers: Buffer.from(offers), skipped: Buffer.from(skipped), release: () => undefined }
    }
  }

  containsKeys(keys: Array<[brandKey: string, articleKey: string]>): Promise<Uint8Array> {
    return Promise.resolve(this.requireCounted().rows.containsKeys(keys))
  }

  compareKeys(offers: ComparedOffer[]): Promise<KeyComparison> {
    return Promise.resolve(this.requireCounted().rows.compareKeys(offers))
  }

  async close(): Promise<void> {}

  private unpack(file: LocalFile, { format }: ReadingRules): Promise<RowSource> {
    return traceStep('price-list.unpack', () => RowSource.open(file, this.folder, format))
  }

  private requireCounted(): NonNullable<typeof this.counted> {
    if (!this.counted) throw new Error('the file was not counted')
    return this.counted
  }
}

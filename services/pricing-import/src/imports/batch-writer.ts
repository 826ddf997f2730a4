import type { PricingImportContext } from '../context.js'
import type { PlacedOffer } from '../offers/offer-store.js'
import type { RowCounters } from '../tasks/import-task-record.js'
import type { LeftOutRow } from '../tasks/skipped-row-store.js'
import type { ListHold } from './list-hold.js'

export interface RowBatch {
  offers: PlacedOffer[]
  skipped: LeftOutRow[]
  /** the last row in it */
  last: number
  /** as they are once it is written */
  counters: RowCounters
}

/**
 * Writes batches in their order: rows of one while the next is being read, and the counters and the resume point of one while
 * the rows of the next are written. The resume point never runs ahead of the rows.
 */
export class BatchWriter {
  private readonly ctx: PricingImportContext
  private readonly hold: ListHold
  private written: Promise<void> = Promise.resolve()
  private saved: Promise<void> = Promise.resolve()

  constructor(ctx: PricingImportContext, hold: ListHold) {
    this.ctx = ctx
    this.hold = hold
  }

  /** Begins to write a batch as soon as the one before is written. @throws what an earlier one met */
  async take(batch: RowBatch): Promise<void> {
    const before = this.saved
    await this.written
    this.written = this.writeRows(batch)
    this.saved = this.save(batch, this.written, before)
    // met by the next `take`, or by `end`
    this.written.catch(() => undefined)
    this.saved.catch(() => undefined)
    await before
  }

  async end(): Promise<void> {
    await this.saved
  }

  private async writeRows({ offers, skipped }: RowBatch): Promise<void> {
    const { id } = this.hold.task
    await Promise.all([
      this.hold.reach(() => this.ctx.offers.write(id, offers)),
      this.hold.reach(() => this.ctx.skippedRows.write(id, skipped)),
    ])
  }

  private async save(batch: RowBatch, written: Promise<void>, before: Promise<void>): Promise<void> {
    await before
    await written
    await this.hold.must(() => this.ctx.tasks.save(this.hold.task, { ...batch.counters, resume_row: batch.last }))
    this.ctx.metrics.rows.inc({ result: 'imported' }, batch.offers.length)
    this.ctx.metrics.rows.inc({ result: 'skipped' }, batch.skipped.length)
  }
}

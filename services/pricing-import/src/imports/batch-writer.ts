import type { PricingImportContext } from '../context.js'
import type { ReleasableBatch } from '../reading/price-list-reader.js'
import type { BatchHead } from '../reading/reader-protocol.js'
import type { ImportLease } from './import-lease.js'

/** Batches written at once: one keeps a core of the database busy, two also while a commit is waited for; more get into each other's way. */
const AT_ONCE = 2

interface Flight {
  batch: ReleasableBatch
  written: Promise<void>
}

/**
 * Writes batches, a few at once. Counters and resume point follow the rows in the order of the file, never ahead of them,
 * and a few times a second.
 */
export class BatchWriter {
  private readonly ctx: PricingImportContext
  private readonly lease: ImportLease
  private readonly flights: Flight[] = []
  /** the last batch that is written with all before it, and not saved yet */
  private unsaved: BatchHead | undefined
  private saving: Promise<void> = Promise.resolve()
  private savedAt = -Infinity

  constructor(ctx: PricingImportContext, lease: ImportLease) {
    this.ctx = ctx
    this.lease = lease
  }

  /** Begins to write a batch as soon as there is room. @throws what an earlier one met */
  async take(batch: ReleasableBatch): Promise<void> {
    while (this.flights.length >= AT_ONCE) await this.land()
    const written = this.write(batch)
    // met by `land`
    written.catch(() => undefined)
    this.flights.push({ batch, written })
  }

  /** Waits until all of it is written and saved. @throws what any of it met */
  async end(): Promise<void> {
    while (this.flights.length > 0) await this.land()
    await this.saving
    await this.save()
  }

  /** Waits until nothing is under way any more, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.flights.map(({ written }) => written), this.saving])
  }

  private async write({ offers, skipped }: ReleasableBatch): Promise<void> {
    await Promise.all([
      this.lease.retryWhileDbDown(() => this.ctx.offers.write(offers)),
      this.lease.retryWhileDbDown(() => this.ctx.skippedRows.write(skipped)),
    ])
  }

  private async land(): Promise<void> {
    const [first] = this.flights
    if (!first) return
    await first.written
    this.flights.shift()
    first.batch.release()
    this.unsaved = first.batch
    this.ctx.metrics.rows.inc({ result: 'imported' }, first.batch.imported)
    this.ctx.metrics.rows.inc({ result: 'skipped' }, first.batch.leftOut)
    if (performance.now() - this.savedAt < this.ctx.config.IMPORT_SAVE_MS) return
    this.savedAt = performance.now()
    // a save that failed is met here, at the latest by `end`
    await this.saving
    this.saving = this.save()
    this.saving.catch(() => undefined)
  }

  private async save(): Promise<void> {
    const batch = this.unsaved
    if (!batch) return
    this.unsaved = undefined
    await this.lease.fencedWrite(() =>
      this.ctx.tasks.save(this.lease.task, { ...batch.counters, resume_row: batch.last }),
    )
  }
}

import type { SkippedRowStore } from '../import-tasks/skipped-row-store.js'
import type { TaskStore } from '../import-tasks/task-store.js'
import type { OfferStore } from '../offers/offer-store.js'
import type { ReleasableBatch } from '../reading/price-list-reader.js'
import type { BatchHead } from '../reading/reader-protocol.js'
import type { ImportMetrics } from './import-metrics.js'
import type { ImportLease } from './import-lease.js'

/** Two batches keep the database busy while one of them waits for its commit; more of them contend. */
const AT_ONCE = 2

export interface BatchStores {
  offers: OfferStore
  skippedRows: SkippedRowStore
  tasks: TaskStore
  metrics: ImportMetrics
}

interface Write {
  batch: ReleasableBatch
  written: Promise<void>
}

/**
 * Writes batches, a few at once. Counters and resume point follow the rows in the order of the file, never ahead of
 * them, and a few times a second.
 */
export class BatchWriter {
  private readonly writes: Write[] = []
  /** the last batch that is written with all before it, and not saved yet */
  private unsaved: BatchHead | undefined
  private saving: Promise<void> = Promise.resolve()
  private savedAt = -Infinity

  constructor(
    private readonly stores: BatchStores,
    private readonly lease: ImportLease,
    private readonly saveMs: number,
  ) {}

  /** Starts to write a batch as soon as fewer than two are under way. @throws what an earlier one threw */
  async write(batch: ReleasableBatch): Promise<void> {
    while (this.writes.length >= AT_ONCE) await this.completeFirst()
    const written = this.insert(batch)
    // thrown by `completeFirst`
    written.catch(() => undefined)
    this.writes.push({ batch, written })
  }

  /** Waits until everything is written and saved. @throws what any write threw */
  async finish(): Promise<void> {
    while (this.writes.length > 0) await this.completeFirst()
    await this.saving
    await this.save()
  }

  /** Waits until nothing is under way, whatever the outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.writes.map(({ written }) => written), this.saving])
  }

  private async insert({ offers, skipped }: ReleasableBatch): Promise<void> {
    await Promise.all([
      this.lease.retryWhileDbDown(() => this.stores.offers.write(offers)),
      this.lease.retryWhileDbDown(() => this.stores.skippedRows.write(skipped)),
    ])
  }

  private async completeFirst(): Promise<void> {
    const [first] = this.writes
    if (!first) return
    await first.written
    this.writes.shift()
    first.batch.release()
    this.unsaved = first.batch
    this.stores.metrics.rows.inc({ result: 'imported' }, first.batch.imported)
    this.stores.metrics.rows.inc({ result: 'skipped' }, first.batch.leftOut)
    if (performance.now() - this.savedAt < this.saveMs) return
    this.savedAt = performance.now()
    // a save that failed throws here, at the latest in `finish`
    await this.saving
    this.saving = this.save()
    this.saving.catch(() => undefined)
  }

  private async save(): Promise<void> {
    const batch = this.unsaved
    if (!batch) return
    this.unsaved = undefined
    await this.lease.fencedWrite(() =>
      this.stores.tasks.save(this.lease.task, { ...batch.counters, resume_row: batch.last }),
    )
  }
}

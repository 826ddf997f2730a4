import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
import { WriteBehind } from '@partsbus/platform/async/write-behind'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import type { Log } from '@partsbus/platform/process/log'
import type { Collection, Db } from 'mongodb'

interface BatchDocument extends Omit<ErpBatch, 'at'> {
  at: Date
}

/** Batches that are stored and shown. */
const MAX_BATCHES = 1_000
const FLUSH_EVERY_MS = 1_000
/** Writes after which the older batches are deleted. */
const TRIM_AFTER = 200

/**
 * The latest batches of the ERP, of all gateways (erp.md#batch-list-2). They are collected in memory and written once a
 * second, so that a batch waits for nothing; a gateway that is killed loses those of its last second.
 */
export class ErpBatchStore {
  private readonly batches: Collection<BatchDocument>
  private readonly writes: WriteBehind<BatchDocument[]>
  private sinceTrim = TRIM_AFTER

  constructor(db: Db, log: Log) {
    this.batches = db.collection('erp_batches')
    this.writes = new WriteBehind({
      everyMs: FLUSH_EVERY_MS,
      merge: (older, newer) => {
        older.push(...newer)
        // while the database is down
        return older.length > MAX_BATCHES ? older.slice(-MAX_BATCHES) : older
      },
      write: (batches) => this.write(batches),
      failed: (error) => log.warn({ err: error }, 'batch list not written, will retry'),
    })
  }

  /** Waits while the database cannot be reached. */
  ensureIndexes(): Promise<void> {
    return ensureIndexes(this.batches, [{ name: 'at', key: { at: -1 } }])
  }

  add(batch: Omit<ErpBatch, 'at'>): void {
    this.writes.collect([{ at: new Date(), ...batch }])
  }

  stop(): Promise<void> {
    return this.writes.stop()
  }

  /** The latest first, those of this process included. @throws while the database is down */
  async list(): Promise<ErpBatch[]> {
    await this.writes.flush()
    const found = await this.batches
      .find({}, { projection: { _id: 0 }, batchSize: MAX_BATCHES + 1 })
      .sort({ at: -1 })
      .limit(MAX_BATCHES)
      .toArray()
    return found.map((batch) => ({ ...batch, at: batch.at.toISOString() }))
  }

  private async write(batches: BatchDocument[]): Promise<void> {
    // a duplicate: it was written by an attempt whose answer was lost
    await collectDuplicates(() => this.batches.insertMany(batches, { ordered: false }))
    this.sinceTrim += batches.length
    if (this.sinceTrim < TRIM_AFTER) return
    this.sinceTrim = 0
    const [oldest] = await this.batches.find().sort({ at: -1 }).skip(MAX_BATCHES).limit(1).toArray()
    if (oldest) await this.batches.deleteMany({ at: { $lte: oldest.at } })
  }
}

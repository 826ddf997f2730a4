import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
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
  private readonly log: Log
  private pending: BatchDocument[] = []
  private flushing: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private sinceTrim = TRIM_AFTER
  private hasIndexes = false

  constructor(db: Db, log: Log) {
    this.batches = db.collection('erp_batches')
    this.log = log
  }

  add(batch: Omit<ErpBatch, 'at'>): void {
    this.pending.push({ at: new Date(), ...batch })
    // while the database is down
    if (this.pending.length > MAX_BATCHES) this.pending.shift()
  }

  start(): void {
    this.timer = setInterval(() => void this.flushQuietly(), FLUSH_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.flushQuietly()
  }

  /** The latest first, those of this process included. @throws while the database is down */
  async list(): Promise<ErpBatch[]> {
    await this.flush()
    const found = await this.batches
      .find({}, { projection: { _id: 0 }, batchSize: MAX_BATCHES + 1 })
      .sort({ at: -1 })
      .limit(MAX_BATCHES)
      .toArray()
    return found.map((batch) => ({ ...batch, at: batch.at.toISOString() }))
  }

  private flushQuietly(): Promise<void> {
    return this.flush().catch((error: unknown) => this.log.warn({ err: error }, 'batch list not written, will retry'))
  }

  private async flush(): Promise<void> {
    await this.flushing?.catch(() => undefined)
    this.flushing = this.write()
    await this.flushing
  }

  private async write(): Promise<void> {
    if (this.pending.length === 0) return
    if (!this.hasIndexes) await ensureIndexes(this.batches, [{ name: 'at', key: { at: -1 } }])
    this.hasIndexes = true
    const batches = this.pending
    this.pending = []
    try {
      // a duplicate: it was written by an attempt whose answer was lost
      await collectDuplicates(() => this.batches.insertMany(batches, { ordered: false }))
    } catch (error) {
      this.pending = [...batches, ...this.pending].slice(-MAX_BATCHES)
      throw error
    }
    this.sinceTrim += batches.length
    if (this.sinceTrim < TRIM_AFTER) return
    this.sinceTrim = 0
    const [oldest] = await this.batches.find().sort({ at: -1 }).skip(MAX_BATCHES).limit(1).toArray()
    if (oldest) await this.batches.deleteMany({ at: { $lte: oldest.at } })
  }
}

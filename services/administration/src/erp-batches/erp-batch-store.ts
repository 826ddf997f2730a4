import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { ErpBatch } from '@partsbus/contracts/administration/erp-batch'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, Db } from 'mongodb'

interface BatchDocument extends Omit<ErpBatch, 'at'> {
  /** made by the gateway; an ObjectId in batches of version 0.1 */
  _id: string
  at: Date
}

/** Batches that are stored and shown. */
const MAX_BATCHES = 1_000
/** Writes after which the older batches are deleted. */
const TRIM_AFTER = 200

/** The latest batches of the ERP, of all gateways. */
@Injectable()
export class ErpBatchStore implements OnModuleInit {
  private readonly batches: Collection<BatchDocument>
  private sinceTrim = TRIM_AFTER

  constructor(db: Db) {
    this.batches = db.collection('erp_batches')
  }

  onModuleInit(): Promise<void> {
    return ensureIndexes(this.batches, [{ name: 'at', key: { at: -1 } }])
  }

  async add(batches: ReadonlyArray<ErpBatch & { id: string }>): Promise<void> {
    if (batches.length === 0) return
    const documents = batches.map(({ id, at, ...batch }) => ({ _id: id, at: new Date(at), ...batch }))
    // a duplicate: it was written by an attempt whose answer was lost
    await collectDuplicates(() => this.batches.insertMany(documents, { ordered: false }))
    this.sinceTrim += batches.length
    if (this.sinceTrim < TRIM_AFTER) return
    this.sinceTrim = 0
    const [oldest] = await this.batches.find().sort({ at: -1 }).skip(MAX_BATCHES).limit(1).toArray()
    if (oldest) await this.batches.deleteMany({ at: { $lte: oldest.at } })
  }

  /** The latest first. */
  async list(): Promise<ErpBatch[]> {
    const found = await this.batches
      .find({}, { projection: { _id: 0 }, batchSize: MAX_BATCHES + 1 })
      .sort({ at: -1 })
      .limit(MAX_BATCHES)
      .toArray()
    return found.map(({ at, ...batch }) => ({ at: at.toISOString(), ...batch }))
  }
}

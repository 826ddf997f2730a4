import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import { collectDuplicates } from '@partsbus/platform/mongo/errors'
import { type Collection, Db } from 'mongodb'

/** An unknown category that products link to. */
export interface AwaitedCategory {
  /** its ERP id */
  _id: string
  /** replaced when it is recorded again, so that a deletion does not remove the newer record */
  token: string
}

/** The cache is cleared beyond this many ids. */
const MAX_CACHED = 100_000

/** The unknown categories that products link to: when one arrives, those links become visible. */
@Injectable()
export class AwaitedCategoryStore {
  private readonly awaited: Collection<AwaitedCategory>
  private readonly recorded = new Set<string>()

  constructor(db: Db) {
    this.awaited = db.collection('awaited_categories')
  }

  /** Recorded before the products are written. */
  async record(erpIds: Iterable<string>): Promise<void> {
    const unrecorded = [...erpIds].filter((erpId) => !this.recorded.has(erpId))
    if (unrecorded.length === 0) return
    const docs = unrecorded.toSorted().map((_id) => ({ _id, token: randomUUID() }))
    await collectDuplicates(() => this.awaited.insertMany(docs, { ordered: false }))
    if (this.recorded.size + unrecorded.length > MAX_CACHED) this.recorded.clear()
    for (const erpId of unrecorded) this.recorded.add(erpId)
  }

  /** Recorded once more: the category has arrived while products were being written. */
  async recordAgain(erpIds: Iterable<string>): Promise<void> {
    for (const _id of erpIds) await this.awaited.updateOne({ _id }, { $set: { token: randomUUID() } }, { upsert: true })
  }

  findPage(afterErpId: string, limit: number): Promise<AwaitedCategory[]> {
    return this.awaited
      .find({ _id: { $gt: afterErpId } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray()
  }

  async delete({ _id, token }: AwaitedCategory): Promise<void> {
    await this.awaited.deleteOne({ _id, token })
  }
}

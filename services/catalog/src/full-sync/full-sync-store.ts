import { randomBytes } from 'node:crypto'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import type { FullSync } from '@partsbus/contracts/catalog/full-sync'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { ensureIndexes } from '@partsbus/platform/mongo/indexes'
import { type Collection, Db } from 'mongodb'

export type SyncedKind = 'categories' | 'products'

/*
 * open → completing → completed; open → cancelled (by the ERP, or after 7 days). One that is open or completing holds
 * the slot, which a unique index allows once.
 */
export interface FullSyncDocument extends Pick<FullSync, 'status' | 'deactivated'> {
  _id: string
  slot?: 'taken'
  started_at: Date
  /** kinds that a batch of it has sent; the others are left alone */
  kinds: SyncedKind[]
}

const LIFETIME_MS = 7 * 24 * 3_600_000
const SLOT_INDEX = 'slot_unique'

@Injectable()
export class FullSyncStore implements OnModuleInit {
  private readonly syncs: Collection<FullSyncDocument>

  constructor(db: Db) {
    this.syncs = db.collection('full_syncs')
  }

  async onModuleInit(): Promise<void> {
    const partialFilterExpression = { slot: 'taken' }
    await ensureIndexes(this.syncs, [
      { name: SLOT_INDEX, key: { slot: 1 }, options: { unique: true, partialFilterExpression } },
    ])
  }

  /** @returns undefined while another one holds the slot */
  async start(now = new Date()): Promise<FullSyncDocument | undefined> {
    const expired = { started_at: { $lt: new Date(now.getTime() - LIFETIME_MS) } }
    await this.syncs.updateMany({ ...expired, status: 'open' }, { $set: { status: 'cancelled' }, $unset: { slot: '' } })
    await this.syncs.deleteMany({ ...expired, status: { $in: ['completed', 'cancelled'] } })
    const sync: FullSyncDocument = {
      _id: randomBytes(12).toString('hex'),
      slot: 'taken',
      status: 'open',
      started_at: now,
      kinds: [],
      deactivated: { categories: 0, products: 0 },
    }
    try {
      await this.syncs.insertOne(sync)
      return sync
    } catch (error) {
      if (isDuplicateKey(error)) return undefined
      throw error
    }
  }

  /** One whose 7 days are over is cancelled, also before the next start writes so. */
  async get(id: string, now = Date.now()): Promise<FullSyncDocument | undefined> {
    const sync = await this.syncs.findOne({ _id: id })
    if (!sync) return undefined
    const isExpired = sync.status === 'open' && now - sync.started_at.getTime() > LIFETIME_MS
    return isExpired ? { ...sync, status: 'cancelled' } : sync
  }

  /** The one that holds the slot. */
  async findCurrent(): Promise<FullSyncDocument | undefined> {
    return (await this.syncs.findOne({ slot: 'taken' })) ?? undefined
  }

  /** @returns false when its status is another */
  async change(
    id: string,
    from: FullSyncDocument['status'],
    to: Partial<Pick<FullSyncDocument, 'status' | 'deactivated'>>,
  ): Promise<boolean> {
    const hasEnded = to.status === 'completed' || to.status === 'cancelled'
    const { matchedCount } = await this.syncs.updateOne(
      { _id: id, status: from },
      { $set: to, ...(hasEnded && { $unset: { slot: '' } }) },
    )
    return matchedCount === 1
  }

  /** Records that a batch of an open sync has sent items of this kind. */
  async addKind(id: string, kind: SyncedKind): Promise<void> {
    await this.syncs.updateOne({ _id: id }, { $addToSet: { kinds: kind } })
  }
}

export function fullSyncView({ _id, status, started_at, deactivated }: FullSyncDocument): FullSync {
  return {
    id: _id,
    status,
    started_at: started_at.toISOString(),
    expires_at: new Date(started_at.getTime() + LIFETIME_MS).toISOString(),
    deactivated,
  }
}

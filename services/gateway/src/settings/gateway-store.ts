import { randomUUID } from 'node:crypto'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import type { Collection, Db } from 'mongodb'

/** A gateway renews its entry this often, in ms, and stops serving requests when it cannot. */
export const RENEW_MS = 2_000
/** An entry that was not renewed for this long, in ms, belongs to a gateway that serves no requests. */
const LIFETIME_MS = 10_000
/** Entries of gateways that ended without removing them are deleted after this time, in ms. */
const FORGET_MS = 60_000

interface GatewayDocument {
  _id: string
  seen_at: Date
}

/**
 * The gateways that may serve requests by cached settings, by the database's clock. A change of the settings is
 * acknowledged by each of them. Membership is in the database rather than on the bus, because a gateway that lost the
 * bus still authenticates requests.
 */
export class GatewayStore {
  readonly id: string = randomUUID()
  private readonly gateways: Collection<GatewayDocument>
  private readonly db: Db

  constructor(db: Db) {
    this.db = db
    this.gateways = db.collection<GatewayDocument>('gateways')
  }

  async renew(): Promise<void> {
    await this.gateways.updateOne(
      { _id: this.id },
      { $currentDate: { seen_at: true } },
      { upsert: true, timeoutMS: RENEW_MS },
    )
  }

  /** Ids of the other gateways that may serve requests. */
  async listOthers(): Promise<string[]> {
    const now = (await databaseNow(this.db)).getTime()
    const found = await this.gateways.find({ _id: { $ne: this.id } }).toArray()
    const isOlder = (age: number) => (entry: GatewayDocument) => entry.seen_at.getTime() < now - age
    const forgotten = found.filter(isOlder(FORGET_MS)).map(({ _id }) => _id)
    if (forgotten.length > 0) await this.gateways.deleteMany({ _id: { $in: forgotten } })
    return found.filter((entry) => !isOlder(LIFETIME_MS)(entry)).map(({ _id }) => _id)
  }

  /** Called when this gateway serves no requests any more. */
  async remove(): Promise<void> {
    await this.gateways.deleteOne({ _id: this.id }, { timeoutMS: RENEW_MS })
  }
}

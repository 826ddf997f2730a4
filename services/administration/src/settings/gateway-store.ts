import { Injectable } from '@nestjs/common'
import { GATEWAY_LIFETIME_MS } from '@partsbus/contracts/administration/settings-commands'
import { databaseNow } from '@partsbus/platform/mongo/clock'
import { type ProcessReport, ProcessStore, RENEW_MS } from '@partsbus/platform/mongo/process-store'
import { Db } from 'mongodb'

interface Entry {
  store: ProcessStore
  renewedAt: number
}

/** Gateways whose renewal this process remembers; the entry of another one is renewed with each read. */
const MAX_REMEMBERED = 1_000

/** The gateways that may serve by settings that they have read, by the database's clock. */
@Injectable()
export class GatewayStore {
  private readonly known = new Map<string, Entry>()

  constructor(private readonly db: Db) {}

  /** Renews the entry of a gateway, unless this process did so less than 2 s ago. */
  async renew(id: string, report: ProcessReport): Promise<void> {
    const entry = this.known.get(id) ?? { store: this.open(id), renewedAt: -Infinity }
    entry.store.report = { read: () => report }
    const now = performance.now()
    if (now - entry.renewedAt <= RENEW_MS) return
    await entry.store.renew()
    entry.renewedAt = now
    this.known.delete(id)
    this.known.set(id, entry)
    const [oldest] = this.known.keys()
    if (this.known.size > MAX_REMEMBERED && oldest !== undefined) this.known.delete(oldest)
  }

  async remove(id: string): Promise<void> {
    this.known.delete(id)
    await this.open(id).remove()
  }

  /** Ids of those that may serve by settings. */
  async list(): Promise<string[]> {
    return (await this.open('').listRunning()).map(({ _id }) => _id)
  }

  now(): Promise<Date> {
    return databaseNow(this.db)
  }

  private open(id: string): ProcessStore {
    return new ProcessStore(this.db, 'gateways', { id, lifetimeMs: GATEWAY_LIFETIME_MS })
  }
}

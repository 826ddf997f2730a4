import { changes } from '@partsbus/contracts/cache-invalidation'
import type { BusClient } from '@partsbus/platform/bus/client'
import { publishInvalidation } from '@partsbus/platform/bus/invalidated-cache'
import { CounterStore } from '@partsbus/platform/mongo/counter-store'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import type { Log } from '@partsbus/platform/process/log'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import type { Runtime } from '@partsbus/platform/process/runtime'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import type { StockConfig } from './config.js'
import { PickUpPointStore } from './pick-up-points/pick-up-point-store.js'
import { StorageStore } from './storages/storage-store.js'
import { SupplyEvents } from './supplies/supply-events.js'
import { SupplyIds } from './supplies/supply-ids.js'
import { SupplyStore } from './supplies/supply-store.js'

/** What the service owns, built once. */
export interface StockContext {
  log: Log
  calls: BusClient
  supplies: SupplyStore
  points: PickUpPointStore
  storages: StorageStore
  events: SupplyEvents
  secrets: SecretBox
  leases: LeaseStore
}

export async function createContext(parts: Runtime, config: StockConfig): Promise<StockContext> {
  const { db } = parts.mongo
  const counters = new CounterStore(db.collection('counters'))
  const supplies = new SupplyStore(db.collection('supplies'), new SupplyIds(counters))
  const changed = (): Promise<void> => publishInvalidation(parts.bus, changes.storages)
  const points = new PickUpPointStore(db.collection('pick_up_points'), counters, changed)
  const storages = new StorageStore(db.collection('storages'), counters, changed)
  await supplies.prepare()
  await points.prepare()
  const outbox = new OutboxStore(db.collection('outbox'))
  await outbox.ensureIndexes()
  return {
    log: parts.log,
    calls: parts.calls,
    supplies,
    points,
    storages,
    events: new SupplyEvents({ nc: parts.bus.nc, log: parts.log, outbox, supplies }),
    secrets: new SecretBox(config.SECRETS_KEY),
    leases: new LeaseStore(db.collection('leases')),
  }
}

import { changes } from '@partsbus/contracts/changes'
import type { BusClient } from '@partsbus/platform/bus-client'
import { tellChange } from '@partsbus/platform/changes'
import { CounterStore } from '@partsbus/platform/counter-store'
import { LeaseStore } from '@partsbus/platform/lease-store'
import type { Log } from '@partsbus/platform/log'
import { OutboxStore } from '@partsbus/platform/outbox-store'
import type { ServiceParts } from '@partsbus/platform/parts'
import { SecretBox } from '@partsbus/platform/secret-box'
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

export async function createContext(parts: ServiceParts, config: StockConfig): Promise<StockContext> {
  const { db } = parts.mongo
  const counters = new CounterStore(db.collection('counters'))
  const supplies = new SupplyStore(db.collection('supplies'), new SupplyIds(counters))
  const changed = (): Promise<void> => tellChange(parts.bus, changes.storages)
  const points = new PickUpPointStore(db.collection('pick_up_points'), counters, changed)
  const storages = new StorageStore(db.collection('storages'), counters, changed)
  await supplies.prepare()
  await points.prepare()
  const outbox = new OutboxStore(db.collection('outbox'))
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

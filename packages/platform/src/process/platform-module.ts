import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common'
import { Db } from 'mongodb'
import { BusClient } from '../bus/client.js'
import { BusServer } from '../bus/server.js'
import { CounterStore } from '../mongo/counter-store.js'
import { LeaseStore } from '../mongo/lease-store.js'
import { OutboxStore } from '../mongo/outbox-store.js'
import type { PlatformConfig } from './config.js'
import { BUS, CONFIG, LOG, METRICS } from './injection-tokens.js'
import { PausableWork } from './pausable-work.js'
import type { Runtime } from './runtime.js'

/**
 * The global module of every service. Provides the classes `Db`, `BusClient`, `CounterStore`, `LeaseStore`,
 * `OutboxStore` and `PausableWork`, and what has an interface only under a token: `LOG`, `METRICS`, `BUS`, `CONFIG`.
 *
 * Nest runs the start hooks of a global module before those of all others. Subscribing here therefore means that
 * `onApplicationBootstrap` of any provider runs when the service already answers requests.
 */
@Module({})
export class PlatformModule implements OnApplicationBootstrap {
  private readonly server: BusServer

  constructor(server: BusServer) {
    this.server = server
  }

  static forRoot(runtime: Runtime, server: BusServer, config: PlatformConfig, work: PausableWork): DynamicModule {
    const { db } = runtime.mongo
    const providers = [
      { provide: BusServer, useValue: server },
      { provide: LOG, useValue: runtime.log },
      { provide: METRICS, useValue: runtime.metrics },
      { provide: BUS, useValue: runtime.bus },
      { provide: CONFIG, useValue: config },
      { provide: Db, useValue: db },
      { provide: BusClient, useValue: runtime.calls },
      { provide: PausableWork, useValue: work },
      { provide: CounterStore, useFactory: () => new CounterStore(db.collection('counters')) },
      { provide: LeaseStore, useFactory: () => new LeaseStore(db.collection('leases')) },
      { provide: OutboxStore, useFactory: () => new OutboxStore(db.collection('outbox')) },
    ]
    return { module: PlatformModule, global: true, providers, exports: providers.map(({ provide }) => provide) }
  }

  onApplicationBootstrap(): Promise<void> {
    return this.server.subscribe()
  }
}

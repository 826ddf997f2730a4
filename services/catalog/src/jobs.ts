import { setTimeout as sleep } from 'node:timers/promises'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { streams } from '@partsbus/contracts/streams'
import type { BusConnection } from '@partsbus/platform/bus/connection'
import { ensureStream } from '@partsbus/platform/bus/streams'
import { BUS, LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { PausableWork } from '@partsbus/platform/process/pausable-work'
import { FullSyncSweep } from './full-sync/full-sync-sweep.js'
import { ParentLinks } from './categories/parent-links.js'
import { MediaWorkLoop } from './media/media-work-loop.js'
import { OutboxRelay } from './outbox-relay.js'
import { LateLinks } from './products/late-links.js'
import { ProductIds } from './products/product-ids.js'

const STREAM_RETRY_MS = 1_000
const SWEEP_MS = 5_000

/** Everything that this service repeats in the background. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController()
  private loops: Array<Promise<void>> = []
  private hasStream = false

  constructor(
    private readonly relay: OutboxRelay,
    private readonly parents: ParentLinks,
    private readonly links: LateLinks,
    private readonly productIds: ProductIds,
    private readonly media: MediaWorkLoop,
    private readonly fullSyncs: FullSyncSweep,
    private readonly work: PausableWork,
    @Inject(BUS) private readonly bus: BusConnection,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    // the bus may come back without its streams
    this.bus.onLoss(() => {
      this.hasStream = false
    })
    const { signal } = this.stopping
    this.loops = [
      this.repeat('question for product ids', SWEEP_MS, () => this.productIds.askStock()),
      this.repeat('event stream check', STREAM_RETRY_MS, () => this.openStream()),
      // goes on in maintenance: it deletes what the stream has, and restored events may come twice
      this.repeat('outbox sweep', SWEEP_MS, () => this.relay.relay(() => signal.aborted)),
      this.repeatWrites('pending parents sweep', () => this.parents.sweepPendingParents()),
      this.repeatWrites('late links sweep', () => this.links.sweep()),
      this.repeatWrites('full sync', () => this.fullSyncs.resume(() => signal.aborted)),
    ]
    this.media.start()
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort()
    await Promise.all([this.media.stop(), ...this.loops])
  }

  private async openStream(): Promise<void> {
    if (this.hasStream) return
    await ensureStream(this.bus.nc, streams.events)
    this.hasStream = true
  }

  private repeatWrites(name: string, task: () => Promise<void>): Promise<void> {
    return this.repeat(name, SWEEP_MS, async () => {
      await this.work.run(name, task)
    })
  }

  private async repeat(name: string, everyMs: number, task: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await task()
      } catch (error) {
        this.log.warn({ err: error }, `${name} failed`)
      }
      // spread by a quarter each way, so that replicas do not sweep in step
      await sleep(everyMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined)
    }
  }
}

import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { streams } from '@partsbus/contracts/streams'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
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
  private loops: Repetition[] = []
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
    this.loops = [
      this.repeat('question for product ids', SWEEP_MS, () => this.productIds.askStock()),
      this.repeat('event stream check', STREAM_RETRY_MS, () => this.openStream()),
      // goes on in maintenance: it deletes what the stream has, and restored events may come twice
      this.repeat('outbox sweep', SWEEP_MS, (stop) => this.relay.relay(() => stop.aborted)),
      this.repeatWrites('pending parents sweep', () => this.parents.sweepPendingParents()),
      this.repeatWrites('late links sweep', () => this.links.sweep()),
      this.repeatWrites('full sync', (stop) => this.fullSyncs.resume(() => stop.aborted)),
    ]
    this.media.start()
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.media.stop(), ...this.loops.map((loop) => loop.stop())])
  }

  private async openStream(): Promise<void> {
    if (this.hasStream) return
    await ensureStream(this.bus.nc, streams.events)
    this.hasStream = true
  }

  private repeatWrites(name: string, task: (stop: AbortSignal) => Promise<void>): Repetition {
    return this.repeat(name, SWEEP_MS, async (stop) => {
      await this.work.run(name, () => task(stop))
    })
  }

  private repeat(name: string, everyMs: number, task: (stop: AbortSignal) => Promise<void>): Repetition {
    return repeat(task, {
      everyMs,
      isSpread: true,
      failed: (error) => this.log.warn({ err: error }, `${name} failed`),
    })
  }
}

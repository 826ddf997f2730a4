import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { measureOutbox } from '@partsbus/platform/mongo/outbox-metrics'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { LOG, METRICS } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Metrics } from '@partsbus/platform/process/metrics'
import { ResealSecrets } from './storages/reseal-secrets.js'
import { SupplyEvents } from './supplies/supply-events.js'

/** Pause between two sweeps of the outbox; spread by a quarter each way, so that replicas do not sweep in step. */
const SWEEP_EVERY_MS = 5_000

/** Everything that this service repeats in the background. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined
  private sweep: Promise<void> | undefined
  private reseal: Promise<void> | undefined
  private stopped = false

  constructor(
    private readonly events: SupplyEvents,
    private readonly secrets: ResealSecrets,
    private readonly outbox: OutboxStore,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    measureOutbox(this.metrics, this.outbox)
    this.reseal = this.secrets
      .resealSecrets()
      .catch((error: unknown) => this.log.warn({ err: error }, 'sealing header values with the current key failed'))
    this.startSweep()
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    this.events.cancelSweep()
    await Promise.all([this.sweep, this.reseal])
    await this.events.flush()
  }

  private startSweep(): void {
    this.sweep = this.events
      .sweep()
      .catch((error: unknown) => this.log.warn({ err: error }, 'outbox sweep failed'))
      .finally(() => {
        if (this.stopped) return
        this.timer = setTimeout(() => this.startSweep(), SWEEP_EVERY_MS * (0.75 + Math.random() / 2))
      })
  }
}

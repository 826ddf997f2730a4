import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { type Repetition, repeat } from '@partsbus/platform/async/repeat'
import { measureOutbox } from '@partsbus/platform/mongo/outbox-metrics'
import { OutboxStore } from '@partsbus/platform/mongo/outbox-store'
import { LOG, METRICS } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import type { Metrics } from '@partsbus/platform/process/metrics'
import { ResealSecrets } from './storages/reseal-secrets.js'
import { SupplyEvents } from './supplies/supply-events.js'

const SWEEP_EVERY_MS = 5_000

/** Everything that this service repeats in the background. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private sweep: Repetition | undefined
  private reseal: Promise<void> | undefined

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
    this.sweep = repeat(() => this.events.sweep(), {
      everyMs: SWEEP_EVERY_MS,
      isSpread: true,
      failed: (error) => this.log.warn({ err: error }, 'outbox sweep failed'),
    })
  }

  async onModuleDestroy(): Promise<void> {
    this.events.cancelSweep()
    await Promise.all([this.sweep?.stop(), this.reseal])
    await this.events.flush()
  }
}

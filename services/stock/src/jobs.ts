import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'
import { SupplyEvents } from './supplies/supply-events.js'

/** Pause between two sweeps of the outbox; spread by a quarter each way, so that replicas do not sweep in step. */
const SWEEP_EVERY_MS = 5_000

/** Everything that this service repeats in the background. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined
  private sweep: Promise<void> | undefined
  private stopped = false

  constructor(
    private readonly events: SupplyEvents,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.sweep = this.events
      .sweep()
      .catch((error: unknown) => this.log.warn({ err: error }, 'outbox sweep failed'))
      .finally(() => {
        if (this.stopped) return
        this.timer = setTimeout(() => this.onApplicationBootstrap(), SWEEP_EVERY_MS * (0.75 + Math.random() / 2))
      })
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    this.events.cancelSweep()
    await this.sweep
    await this.events.flush()
  }
}

import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { type Repetition, repeat } from '../async/repeat.js'
import { LOG } from '../process/injection-tokens.js'
import type { Log } from '../process/log.js'
import { PausableWork } from '../process/pausable-work.js'
import { BusClient } from './client.js'

const CHECK_EVERY_MS = 1_000
const TIMEOUT_MS = 2_000

/**
 * Pauses background work while the installation is in maintenance (admin.md#maintenance), which it asks of a gateway
 * every second. While no gateway answers, the last answer counts; work may begin when none has ever answered.
 */
@Injectable()
export class MaintenanceWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private checks: Repetition | undefined
  private isKnown = false

  constructor(
    private readonly calls: BusClient,
    private readonly work: PausableWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Ends when it is known. */
  async onApplicationBootstrap(): Promise<void> {
    await new Promise<void>((checked) => {
      this.checks = repeat(() => this.check().finally(checked), {
        everyMs: CHECK_EVERY_MS,
        // no gateway is running, or the bus is down: the other calls of the service report it
        failed: () => undefined,
      })
    })
    if (!this.isKnown) this.work.resume()
  }

  onModuleDestroy(): void {
    void this.checks?.stop()
  }

  private async check(): Promise<void> {
    // a gateway of an earlier release does not send it
    const { maintenance = null } = await this.calls.request(currentSettings, {}, { timeoutMs: TIMEOUT_MS })
    this.follow(maintenance !== null)
  }

  private follow(isOn: boolean): void {
    // work rests at the start
    if (this.isKnown ? isOn !== this.work.isPaused : isOn)
      this.log.info(isOn ? 'maintenance started' : 'maintenance ended')
    this.isKnown = true
    if (isOn) this.work.pause()
    else this.work.resume()
  }
}

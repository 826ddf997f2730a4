import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { currentSettings } from '@partsbus/contracts/administration/settings'
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
  private timer: NodeJS.Timeout | undefined
  private isStopped = false
  private isKnown = false

  constructor(
    private readonly calls: BusClient,
    private readonly work: PausableWork,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Ends when it is known. */
  async onApplicationBootstrap(): Promise<void> {
    await this.check()
    if (!this.isKnown) this.work.resume()
  }

  onModuleDestroy(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private async check(): Promise<void> {
    try {
      // a gateway of an earlier release does not send it
      const { maintenance = null } = await this.calls.request(currentSettings, {}, { timeoutMs: TIMEOUT_MS })
      this.follow(maintenance !== null)
    } catch {
      // no gateway is running, or the bus is down: the other calls of the service report it
    }
    if (!this.isStopped) this.timer = setTimeout(() => void this.check(), CHECK_EVERY_MS).unref()
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

import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { currentSettings } from '@partsbus/contracts/gateway/commands'
import { LOG } from '../process/injection-tokens.js'
import type { Log } from '../process/log.js'
import { BusClient } from './client.js'

const CHECK_EVERY_MS = 1_000
const TIMEOUT_MS = 2_000

/**
 * Whether the installation is in maintenance (admin.md#maintenance), asked of a gateway every second. Background work
 * that writes looks before it starts something, and finishes what it has started. While no gateway answers, the last
 * answer counts.
 */
@Injectable()
export class MaintenanceWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private isActive = false
  private timer: NodeJS.Timeout | undefined
  private isStopped = false

  constructor(
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  get isOn(): boolean {
    return this.isActive
  }

  onApplicationBootstrap(): void {
    void this.check()
  }

  onModuleDestroy(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private async check(): Promise<void> {
    try {
      // a gateway of an earlier release does not send it
      const { maintenance = null } = await this.calls.request(currentSettings, {}, { timeoutMs: TIMEOUT_MS })
      const isOn = maintenance !== null
      if (isOn !== this.isActive) this.log.info(isOn ? 'maintenance started' : 'maintenance ended')
      this.isActive = isOn
    } catch {
      // no gateway is running, or the bus is down: the other calls of the service report it
    }
    if (!this.isStopped) this.timer = setTimeout(() => void this.check(), CHECK_EVERY_MS).unref()
  }
}

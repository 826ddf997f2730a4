import { Inject, Injectable } from '@nestjs/common'
import { currentSettings } from '@partsbus/contracts/administration/settings-commands'
import { BusClient } from '@partsbus/platform/bus/client'
import { LOG } from '@partsbus/platform/process/injection-tokens'
import type { Log } from '@partsbus/platform/process/log'

/** As long as a gateway may serve by confirmed settings. */
const MAX_AGE_MS = 1_000
const TIMEOUT_MS = 2_000

/**
 * The private hosts that a download may reach: those of its request that the setting `media_allowed_hosts` still names.
 * Downloads and their retries may be queued for an hour, and a host may be removed meanwhile (rules.md#images-guard).
 */
@Injectable()
export class StillAllowedHosts {
  private known: { hosts: ReadonlySet<string>; at: number } | undefined

  constructor(
    private readonly calls: BusClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Most requests name no host; they cost nothing. */
  async filter(requested: readonly string[]): Promise<readonly string[]> {
    if (requested.length === 0 || this.areKnown(requested)) return requested
    try {
      const at = performance.now()
      const { media_allowed_hosts } = await this.calls.request(currentSettings, {}, { timeoutMs: TIMEOUT_MS })
      const hosts = new Set(media_allowed_hosts)
      this.known = { hosts, at }
      return requested.filter((host) => hosts.has(host))
    } catch (error) {
      // without a gateway nobody can change the setting either
      this.log.warn({ err: error }, 'allowed hosts not confirmed')
      return requested
    }
  }

  /** The settings of the request may lack a host that was added since it was admitted, so only a full match counts. */
  private areKnown(requested: readonly string[]): boolean {
    const { known } = this
    return (
      known !== undefined &&
      performance.now() - known.at <= MAX_AGE_MS &&
      requested.every((host) => known.hosts.has(host))
    )
  }
}

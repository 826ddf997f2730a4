import { Controller } from '@nestjs/common'
import {
  currentSettings,
  currentSettingsOfGateway,
  readSettings,
  removeGateway,
  showSettings,
  type TokenHash as SentHash,
} from '@partsbus/contracts/administration/settings-commands'
import { pickCallSettings } from '@partsbus/contracts/administration/settings'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import type { TokenHash } from './access-token.js'
import { GatewayStore } from './gateway-store.js'
import { SettingsStore } from './settings-store.js'
import { viewSettings } from './settings-view.js'

/** The settings for gateways, services and administrators. */
@Controller()
export class ReadSettings {
  constructor(
    private readonly store: SettingsStore,
    private readonly gateways: GatewayStore,
  ) {}

  /** The order is part of the protocol: the entry of the gateway is renewed before its settings are read. */
  @Handles(readSettings)
  async readSettings({ body: { gateway, report } }: CallOf<typeof readSettings>) {
    const at = await this.gateways.now()
    const quiet_at = report.quiet_at === null ? null : new Date(report.quiet_at)
    await this.gateways.renew(gateway, { ...report, quiet_at })
    const { rev, values, tokens } = await this.store.read()
    return { at: at.toISOString(), rev, values, tokens: { erp: sentHash(tokens.erp), b2b: sentHash(tokens.b2b) } }
  }

  @Handles(removeGateway)
  async removeGateway({ body }: CallOf<typeof removeGateway>) {
    await this.gateways.remove(body.gateway)
    return {}
  }

  @Handles(currentSettings)
  async currentSettings() {
    return pickCallSettings((await this.store.read()).values)
  }

  @Handles(currentSettingsOfGateway)
  currentSettingsOfGateway() {
    return this.currentSettings()
  }

  /** admin.md#settings-get */
  @Handles(showSettings)
  async showSettings() {
    const stored = await this.store.read()
    return { ...viewSettings(stored), revision: stored.rev }
  }
}

function sentHash(hash: TokenHash | null): SentHash | null {
  if (!hash) return null
  const { sha256, last4, issued_at, previous } = hash
  return {
    sha256,
    last4,
    issued_at: issued_at.toISOString(),
    ...(previous && { previous: { ...previous, valid_until: previous.valid_until.toISOString() } }),
  }
}

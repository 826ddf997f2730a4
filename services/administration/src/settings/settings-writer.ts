import { Injectable } from '@nestjs/common'
import type { Settings } from '@partsbus/contracts/administration/settings'
import { SETTINGS_EXPIRE_MS } from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/errors'
import { assertRevision } from '@partsbus/contracts/revision'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayStore } from './gateway-store.js'
import { SettingsBroadcast } from './settings-broadcast.js'
import { SettingsStore, type StoredSettings } from './settings-store.js'

export interface SettingsChange {
  before: StoredSettings
  after: StoredSettings
}

/** Allowance for differences between the clocks of processes, in ms. */
const EXPIRE_MARGIN_MS = 100
const WRITE_ATTEMPTS = 20

/**
 * Writes settings so that no gateway serves by those before when a change is answered: when every registered gateway
 * has acknowledged it, or when the copies of those that have not have expired (rules.md#settings-change). A gateway's
 * entry is renewed before the read that its copy comes from, so every gateway with valid settings is registered. The
 * model of it is docs/develop/models/settings.pml.
 */
@Injectable()
export class SettingsWriter {
  constructor(
    private readonly store: SettingsStore,
    private readonly gateways: GatewayStore,
    private readonly broadcast: SettingsBroadcast,
  ) {}

  /**
   * @param accepted revisions that may be changed; absent: any
   * @param plan may be called several times
   * @throws AppError CHANGED when the stored revision is another
   */
  async change(
    accepted: readonly number[] | undefined,
    plan: (stored: StoredSettings) => Omit<StoredSettings, 'rev'>,
  ): Promise<SettingsChange> {
    for (let attempt = 1; attempt <= WRITE_ATTEMPTS; attempt += 1) {
      const before = await this.store.read()
      assertRevision(accepted, { revision: before.rev })
      const after = { ...plan(before), rev: before.rev + 1 }
      if (!(await this.store.write(after))) continue
      await this.awaitGateways(after.rev, performance.now())
      return { before, after }
    }
    throw new AppError('CONFLICT', 'The settings are being changed by others; try again.')
  }

  /** Resolves when no gateway serves by the settings before `rev`. */
  private async awaitGateways(rev: number, writtenAt: number): Promise<void> {
    const waitMs = (): number => writtenAt + SETTINGS_EXPIRE_MS + EXPIRE_MARGIN_MS - performance.now()
    try {
      await this.broadcast.publish(rev, await this.gateways.list(), waitMs())
    } catch {
      // without a list of the gateways, or without the bus, their copies expire
      await sleep(Math.max(0, waitMs()))
    }
  }
}

/** For the audit log. */
export function differences({ before, after }: SettingsChange): Record<string, { from: unknown; to: unknown }> {
  const names = Object.keys(after.values) as Array<keyof Settings>
  const changed = names.filter((name) => JSON.stringify(before.values[name]) !== JSON.stringify(after.values[name]))
  return Object.fromEntries(changed.map((name) => [name, { from: before.values[name], to: after.values[name] }]))
}

import { Controller } from '@nestjs/common'
import type { Caller } from '@partsbus/contracts/administration/caller'
import {
  clearSettingsReferences,
  findSettingsReferences,
  patchSettings,
  type SettingsReference,
} from '@partsbus/contracts/administration/settings-commands'
import { STORAGE_LEASE } from '@partsbus/contracts/administration/storage-lease'
import type { IssuedToken, Settings, SettingsPatch } from '@partsbus/contracts/administration/settings'
import { assertRevision } from '@partsbus/contracts/revision'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { LeaseStore } from '@partsbus/platform/mongo/lease-store'
import { Changes } from '../audit/changes.js'
import { STORAGE_LOCK } from '../storage-lock.js'
import { generateToken } from './access-token.js'
import { assertCarriable } from './carried-settings.js'
import { CheckSettings } from './check-settings.js'
import { nameCurrent } from './name-current.js'
import { listReferences, namesReferring, patchWithoutReferences } from './settings-references.js'
import { SettingsStore } from './settings-store.js'
import { viewSettings } from './settings-view.js'
import { differences, type SettingsChange, SettingsWriter } from './settings-writer.js'

/** A change with the token that it generated, which can be shown at this moment only. */
type PatchedSettings = SettingsChange & { issued?: IssuedToken | undefined }

/** admin.md#settings-patch */
@Controller()
export class ChangeSettings {
  constructor(
    private readonly store: SettingsStore,
    private readonly writer: SettingsWriter,
    private readonly check: CheckSettings,
    private readonly changes: Changes,
    private readonly leases: LeaseStore,
  ) {}

  /**
   * Writes the whole patch or, if a part of it is invalid, nothing.
   * When B2B is enabled without a token afterwards, one is generated and shown this once (admin.md#settings-b2b-token).
   */
  @Handles(patchSettings)
  patchSettings({ body }: CallOf<typeof patchSettings>) {
    const patch = withoutUndefined(body.patch)
    if (listReferences(patch).length === 0) return this.change(body, patch)
    // what the settings name cannot be deleted until they are stored: gateways hold this lease for deletions
    return this.leases.withLease(STORAGE_LOCK, STORAGE_LEASE, (signal) => this.change(body, patch, signal))
  }

  private async change(
    { caller, if_revisions }: CallOf<typeof patchSettings>['body'],
    patch: SettingsPatch,
    signal?: AbortSignal,
  ) {
    await this.check.assertValid(patch)
    const current = await this.store.read()
    assertRevision(if_revisions, { ...viewSettings(current), revision: current.rev })
    const lacksToken = current.values.b2b_enabled && !current.tokens.b2b
    if (Object.keys(patch).length === 0 && !lacksToken) return { ...viewSettings(current), revision: current.rev }
    const { after, issued } = await this.changes.record(caller, {
      action: 'settings.patch',
      details: { settings: patch },
      make: () => {
        signal?.throwIfAborted()
        return nameCurrent(this.store, this.patch(patch, if_revisions))
      },
      // the differences say all that the request says
      resultDetails: (change) => ({
        settings: undefined,
        changed: differences(change),
        ...(change.issued && { b2b_token: { last4: change.issued.last4 } }),
      }),
    })
    const view = { ...viewSettings(after), revision: after.rev }
    return issued ? { ...view, b2b_token: issued } : view
  }

  @Handles(findSettingsReferences)
  async findSettingsReferences({ body: { kind, id } }: CallOf<typeof findSettingsReferences>) {
    return { settings: namesReferring((await this.store.read()).values, kind, id) }
  }

  @Handles(clearSettingsReferences)
  async clearSettingsReferences({ body: { kind, id, caller } }: CallOf<typeof clearSettingsReferences>) {
    await this.clear(kind, id, caller)
    return {}
  }

  private async clear(kind: SettingsReference, id: number, caller: Caller): Promise<void> {
    const patchOf = (values: Settings): SettingsPatch | undefined => patchWithoutReferences(values, kind, id)
    if (!patchOf((await this.store.read()).values)) return
    await this.changes.record(caller, {
      action: 'settings.patch',
      details: { reason: `${kind} ${id} was deleted` },
      make: () => this.patch((values) => patchOf(values) ?? {}),
      resultDetails: (change) => ({ changed: differences(change) }),
    })
  }

  /**
   * Writes any subset of the settings. When B2B is enabled without a token afterwards, one is generated
   * (partners.md#auth-4). No gateway serves by the settings before when this resolves.
   * @param change what a request sends, whose size is limited; or a function of the stored values, for changes of the
   *   service itself, which must succeed: two lists that were allowed before fit into a message
   * @throws AppError CONTRACT_VIOLATION when what a request sends is too long
   */
  private async patch(
    change: SettingsPatch | ((values: Settings) => SettingsPatch),
    accepted?: readonly number[],
  ): Promise<PatchedSettings> {
    let issued: IssuedToken | undefined
    const written = await this.writer.change(accepted, (stored) => {
      const patch = typeof change === 'function' ? change(stored.values) : change
      const values = { ...stored.values, ...patch }
      if (typeof change !== 'function') assertCarriable(stored.values, patch)
      issued = undefined
      if (!values.b2b_enabled || stored.tokens.b2b) return { ...stored, values }
      const { token, hash, shown } = generateToken(new Date())
      issued = { token, ...shown }
      return { ...stored, values, tokens: { ...stored.tokens, b2b: hash } }
    })
    return { ...written, issued }
  }
}

function withoutUndefined(patch: SettingsPatch): SettingsPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

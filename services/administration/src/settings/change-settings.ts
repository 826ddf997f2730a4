import { Controller } from '@nestjs/common'
import type { Caller } from '@partsbus/contracts/administration/caller'
import {
  clearSettingsReferences,
  findSettingsReferences,
  patchSettings,
  type SettingsReference,
} from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/app-error'
import type { IssuedToken, Settings, SettingsPatch } from '@partsbus/contracts/administration/settings'
import { assertRevision } from '@partsbus/contracts/revision'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Changes } from '../audit/changes.js'
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
  ) {}

  /**
   * Writes the whole patch or, if a part of it is invalid, nothing.
   * When B2B is enabled without a token afterwards, one is generated and shown this once (admin.md#settings-b2b-token).
   */
  @Handles(patchSettings)
  async patchSettings({ body }: CallOf<typeof patchSettings>) {
    const { caller, if_revisions } = body
    const patch = withoutUndefined(body.patch)
    await this.check.assertValid(patch)
    const current = await this.store.read()
    assertRevision(if_revisions, { ...viewSettings(current), revision: current.rev })
    const lacksToken = current.values.b2b_enabled && !current.tokens.b2b
    if (Object.keys(patch).length === 0 && !lacksToken) return { ...viewSettings(current), revision: current.rev }
    const { after, issued } = await this.changes.record(caller, {
      action: 'settings.patch',
      details: { settings: patch },
      make: () => nameCurrent(this.store, this.write(patch, if_revisions)),
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
   * Writes a patch, and undoes it when a resource that it refers to was deleted meanwhile: a deletion reads the
   * settings before and after, so one of the two notices the other.
   */
  private async write(patch: SettingsPatch, accepted: readonly number[] | undefined): Promise<PatchedSettings> {
    const change = await this.patch(patch, accepted)
    if (listReferences(patch).length === 0) return change
    try {
      await this.check.assertValid(patch)
    } catch (error) {
      // a service that cannot be reached cannot tell
      if (!(error instanceof AppError) || error.code !== 'CONTRACT_VIOLATION') return change
      await this.patch((values) => withoutPatch(values, patch, change.before.values))
      throw error
    }
    return change
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

/** What takes a patch back, except for settings that were changed again meanwhile. */
function withoutPatch(values: Settings, patch: SettingsPatch, before: Settings): SettingsPatch {
  const names = Object.keys(patch) as Array<keyof Settings>
  const unchanged = names.filter((name) => JSON.stringify(values[name]) === JSON.stringify(patch[name]))
  return Object.fromEntries(unchanged.map((name) => [name, before[name]]))
}

function withoutUndefined(patch: SettingsPatch): SettingsPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

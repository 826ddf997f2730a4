import { hash, randomBytes } from 'node:crypto'
import {
  type ApiAudience,
  readSettings,
  showSettings,
  type StoredSettings,
} from '@partsbus/contracts/administration/settings-commands'
import { beginAuditEntry } from '@partsbus/contracts/administration/audit'
import { acquireStorageLock } from '@partsbus/contracts/administration/commands'
import { defaultSettings, type Settings } from '@partsbus/contracts/administration/settings'

/** An administration service with settings in memory, and nothing else. */
export class StubAdministration {
  private stored: StoredSettings

  /** @param reread makes the gateway read the settings, as after a change */
  constructor(
    values: Partial<Settings>,
    private readonly reread: () => Promise<void>,
  ) {
    this.stored = { rev: 1, values: { ...defaultSettings, ...values }, tokens: { erp: null, b2b: null } }
  }

  /** @returns undefined for a command of another service */
  answer(subject: string): object | undefined {
    const { rev, values } = this.stored
    if (subject === readSettings.subject) return { at: new Date().toISOString(), ...this.stored }
    if (subject === showSettings.subject) return { ...values, erp_token: null, b2b_token: null, revision: rev }
    if (subject === beginAuditEntry.subject) return { id: 'entry' }
    if (subject === acquireStorageLock.subject) return { is_held: true }
    return subject.startsWith('administration.') ? {} : undefined
  }

  patch(values: Partial<Settings>): Promise<void> {
    return this.write({ values: { ...this.stored.values, ...values } })
  }

  async issueToken(audience: ApiAudience): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const issued = { sha256: hash('sha256', token), last4: token.slice(-4), issued_at: new Date().toISOString() }
    await this.write({ tokens: { ...this.stored.tokens, [audience]: issued } })
    return token
  }

  revokeToken(audience: ApiAudience): Promise<void> {
    return this.write({ tokens: { ...this.stored.tokens, [audience]: null } })
  }

  private write(changes: Partial<StoredSettings>): Promise<void> {
    this.stored = { ...this.stored, ...changes, rev: this.stored.rev + 1 }
    return this.reread()
  }
}

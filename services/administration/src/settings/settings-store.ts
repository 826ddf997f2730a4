import { Injectable } from '@nestjs/common'
import type { ApiAudience } from '@partsbus/contracts/administration/settings-commands'
import { defaultSettings, type Settings } from '@partsbus/contracts/administration/settings'
import { isDuplicateKey } from '@partsbus/platform/mongo/errors'
import { withTimeLimit } from '@partsbus/platform/mongo/with-time-limit'
import { type Collection, Db } from 'mongodb'
import type { TokenHash } from './access-token.js'

/** One revision of the settings and the token hashes. Revision 0 was never written. */
export interface StoredSettings {
  rev: number
  values: Settings
  tokens: Record<ApiAudience, TokenHash | null>
}

interface SettingsDocument {
  _id: 'settings'
  rev: number
  /** dots in names are stored as slashes, because the database takes a dotted name for a path */
  values: Record<string, unknown>
  tokens: Record<ApiAudience, TokenHash | null>
}

/** ms */
const READ_TIMEOUT_MS = 2_000

/** The one document of the collection `settings`. */
@Injectable()
export class SettingsStore {
  private readonly documents: Collection<SettingsDocument>

  constructor(db: Db) {
    this.documents = db.collection<SettingsDocument>('settings')
  }

  /** Settings without a stored value have their defaults. */
  async read(): Promise<StoredSettings> {
    const document = await withTimeLimit(READ_TIMEOUT_MS, (limit) => this.documents.findOne({ _id: 'settings' }, limit))
    if (!document) return { rev: 0, values: defaultSettings, tokens: { erp: null, b2b: null } }
    const values = Object.fromEntries(
      Object.entries(document.values).map(([name, value]) => [name.replaceAll('/', '.'), value]),
    )
    return { rev: document.rev, values: { ...defaultSettings, ...values }, tokens: document.tokens }
  }

  /** Writes the revision after `next.rev - 1`. @returns false when another change has written it */
  async write(next: StoredSettings): Promise<boolean> {
    const values = Object.fromEntries(
      Object.entries(next.values).map(([name, value]) => [name.replaceAll('.', '/'), value]),
    )
    const content = { rev: next.rev, values, tokens: next.tokens }
    if (next.rev > 1)
      return (await this.documents.replaceOne({ _id: 'settings', rev: next.rev - 1 }, content)).matchedCount === 1
    try {
      await this.documents.insertOne({ _id: 'settings', ...content })
      return true
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  }
}

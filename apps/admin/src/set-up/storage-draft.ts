import { type NumberField, readNumbers, showNumbers } from '../ui/draft-fields.js'
import type { Storage } from './set-up-calls.js'

type HttpSupplier = Extract<Storage['supplier'], { kind: 'http' }>

/** A header of a supplier; the value is `***` while the stored one is kept. */
export interface HeaderDraft {
  name: string
  value: string | undefined
}

const NUMBERS = {
  timeout_ms: { blank: 'left out' },
  cache_seconds: { blank: 'left out' },
} as const satisfies Record<string, NumberField>

export interface StorageDraft extends Record<keyof typeof NUMBERS, string> {
  name: string
  is_active: boolean
  kind: Storage['supplier']['kind']
  base_url: string
  dialect: NonNullable<HttpSupplier['dialect']>
  headers: HeaderDraft[]
}

export const NEW_STORAGE: StorageDraft = {
  name: '',
  is_active: true,
  kind: 'own-stock',
  base_url: '',
  dialect: 'standard',
  timeout_ms: '',
  cache_seconds: '',
  headers: [],
}

export function toStorageDraft({ name, is_active, supplier }: Storage): StorageDraft {
  if (supplier.kind !== 'http') return { ...NEW_STORAGE, name, is_active, kind: supplier.kind }
  const { base_url, dialect = 'standard', headers = {} } = supplier
  return {
    name,
    is_active,
    kind: 'http',
    base_url,
    dialect,
    ...showNumbers(NUMBERS, supplier),
    headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
  }
}

/** @returns the storage to send, and the numbers that cannot be read */
export function readStorage(draft: StorageDraft) {
  const { supplier, invalid } = readSupplier(draft)
  return { body: { name: draft.name, is_active: draft.is_active, supplier }, invalid }
}

function readSupplier(draft: StorageDraft): { supplier: Storage['supplier']; invalid: string[] } {
  if (draft.kind !== 'http') return { supplier: { kind: draft.kind }, invalid: [] }
  const { numbers, invalid } = readNumbers(NUMBERS, draft)
  const headers = draft.headers.filter(({ name, value }) => name.trim() !== '' && value !== undefined)
  const supplier = {
    kind: 'http' as const,
    base_url: draft.base_url.trim(),
    dialect: draft.dialect,
    ...numbers,
    headers: Object.fromEntries(headers.map(({ name, value = '' }) => [name.trim(), value])),
  }
  return { supplier, invalid }
}

/** A stored secret stays at its address: it must be sent again where scheme, host or port are other ones. */
export function isOtherAddress(stored: StorageDraft, draft: StorageDraft): boolean {
  if (stored.kind !== 'http') return false
  return originOf(stored.base_url) !== originOf(draft.base_url)
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

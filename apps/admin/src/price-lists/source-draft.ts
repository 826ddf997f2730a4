import type { PriceListSource } from '@partsbus/contracts/pricing-import/price-list-source'
import { type NumberField, readNumbers } from '../ui/draft-fields.js'
import { parseNumber } from '../ui/formats.js'
import { KEPT_SECRET } from '../ui/kept-secret.js'
import type { PriceList } from './price-list-calls.js'

export type Source = PriceList['sources'][number]
export type SourceKind = Source['kind']
const NUMBERS = {
  every_minutes: { blank: 'left out' },
  port: { blank: 'left out' },
} as const satisfies Record<string, NumberField>
export type SourceNumber = keyof typeof NUMBERS
export type SourceText = 'url' | 'host' | 'username' | 'path' | 'pattern' | 'folder' | 'from' | 'subject' | 'file_name'

/** A source of any kind as a person edits it; a blank text is none. */
export interface SourceDraft extends Record<SourceNumber | SourceText, string> {
  /** of the stored source; undefined: it is new */
  id: number | undefined
  kind: SourceKind
  is_active: boolean
  secure: boolean
  /** `***` while the stored one is kept */
  password: string | undefined
}

/** The sources of a list by key, in their order: an array would count as one value where changes are compared. */
export type SourceDrafts = Record<string, SourceDraft>

export const SOURCE_KINDS: readonly SourceKind[] = ['url', 'ftp', 'email']
export const MAX_SOURCES = 20

/** The server and who signs in there, then what is fetched from it. */
export const SERVER_FIELDS: Record<SourceKind, readonly (SourceText | 'port')[]> = {
  url: ['url', 'username'],
  ftp: ['host', 'port', 'username'],
  email: ['host', 'port', 'username'],
}
export const FILE_FIELDS: Record<SourceKind, readonly SourceText[]> = {
  url: [],
  ftp: ['path', 'pattern'],
  email: ['folder', 'from', 'subject', 'file_name'],
}
const DEFAULT_PORTS: Record<SourceKind, number | undefined> = { url: undefined, ftp: 21, email: 993 }

export const newSource = (kind: SourceKind): SourceDraft => ({
  id: undefined,
  kind,
  is_active: true,
  secure: false,
  password: undefined,
  every_minutes: '60',
  port: '',
  url: '',
  host: '',
  username: '',
  path: '',
  pattern: '',
  folder: '',
  from: '',
  subject: '',
  file_name: '',
})

export function toSourceDrafts(sources: readonly Source[]): SourceDrafts {
  return Object.fromEntries(sources.map((source) => [`stored-${source.id}`, toSourceDraft(source)]))
}

function toSourceDraft(source: Source): SourceDraft {
  const { id, kind, is_active, every_minutes, password } = source
  const stored = source as Partial<Record<SourceText | 'port', string | number>>
  const names = [...SERVER_FIELDS[kind], ...FILE_FIELDS[kind]]
  return {
    ...newSource(kind),
    ...Object.fromEntries(names.map((name) => [name, String(stored[name] ?? '')])),
    id,
    is_active,
    secure: source.kind === 'ftp' && source.secure === true,
    every_minutes: String(every_minutes),
    password,
  }
}

export function addSource(drafts: SourceDrafts, kind: SourceKind): SourceDrafts {
  let number = 1
  while (`new-${number}` in drafts) number += 1
  return { ...drafts, [`new-${number}`]: newSource(kind) }
}

/** Drafts under the keys that their sources have after a save: `sent` and `saved` have the same order. */
export function withSavedKeys(drafts: SourceDrafts, sent: SourceDrafts, saved: SourceDrafts): SourceDrafts {
  const savedKeys = Object.keys(saved)
  const keys = new Map(Object.keys(sent).map((key, at) => [key, savedKeys[at]]))
  return Object.fromEntries(Object.entries(drafts).map(([key, draft]) => [keys.get(key) ?? key, draft]))
}

export function removeSource(drafts: SourceDrafts, key: string): SourceDrafts {
  const { [key]: _, ...rest } = drafts
  return rest
}

/** @returns the source to send, and the numbers that cannot be read */
export function readSource(
  draft: SourceDraft,
  stored: SourceDraft | undefined,
): { source: PriceListSource; invalid: SourceNumber[] } {
  const { kind, is_active, secure } = draft
  const { numbers, invalid } = readNumbers(NUMBERS, draft, kind === 'url' ? ['every_minutes'] : Object.keys(NUMBERS))
  const fields: Record<string, unknown> = { kind, is_active, ...numbers }
  // a source that somebody else removed meanwhile is sent as a new one
  if (stored?.id !== undefined) fields.id = stored.id
  for (const name of [...SERVER_FIELDS[kind], ...FILE_FIELDS[kind]]) {
    const text = draft[name].trim()
    if (name !== 'port' && (text !== '' || name === 'url' || name === 'host')) fields[name] = text
  }
  if (kind === 'ftp') fields.secure = secure
  const password = passwordToSend(draft, stored)
  if (password !== undefined) fields.password = password
  return { source: fields as unknown as PriceListSource, invalid }
}

/** "Replace" with nothing typed must not delete what is stored: only "Remove" does. */
function passwordToSend({ password }: SourceDraft, stored: SourceDraft | undefined): string | undefined {
  if (password !== '') return password
  return stored?.password === KEPT_SECRET ? KEPT_SECRET : undefined
}

/** All sources of a list in their order, as they are sent at once, and the paths that cannot be read. */
export function readSources(drafts: SourceDrafts, stored: SourceDrafts) {
  const read = Object.entries(drafts).map(([key, draft]) => ({ key, ...readSource(draft, stored[key]) }))
  return {
    body: { sources: read.map(({ source }) => source) },
    invalid: read.flatMap(({ key, invalid }) => invalid.map((name) => `${key}.${name}`)),
  }
}

/** A stored password stays at its address: it must be sent again for another server or another user. */
export const isOtherLogin = (stored: SourceDraft | undefined, draft: SourceDraft): boolean =>
  stored === undefined || loginKey(stored) !== loginKey(draft)

function loginKey({ kind, url, host, port, secure, username }: SourceDraft): string {
  const server = kind === 'url' ? originOf(url.trim()) : host.trim().toLowerCase()
  return JSON.stringify([kind, server, parseNumber(port) ?? DEFAULT_PORTS[kind], secure, username.trim()])
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)

/** The server by which a person tells sources apart; blank while there is none. */
export function serverName({ kind, url, host }: SourceDraft): string {
  if (kind !== 'url') return host.trim()
  return URL.canParse(url) ? new URL(url).host : url.trim()
}

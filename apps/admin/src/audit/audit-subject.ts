/** The subject of an entry of the audit log: its name and its page. */
import type { Target } from '../overview/problem-target.js'
import type { References } from '../shell/jump-target.js'
import type { Texts } from '../texts/en.js'
import type { AuditEntry } from './audit-calls.js'

type Words = Pick<Texts['audit'], 'actions' | 'entities' | 'subject'>
type Subject = Pick<AuditEntry, 'entity' | 'entity_id' | 'details' | 'actor' | 'actor_id'>

/** The action as it is where these pages are older than the gateway. */
export const wordAction = (action: string, t: Words): string => wordOf(t.actions, action)

export const wordEntity = (entity: string, t: Words): string => wordOf(t.entities, entity)

const wordOf = (words: Record<string, string>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key

/** `Price list Rossko`: its name now, else the one in the entry, else its number. */
export function wordSubject(
  { entity, entity_id, details, actor, actor_id }: Subject,
  t: Words,
  references: References | undefined,
): string | undefined {
  if (entity === null) return undefined
  const noun = wordEntity(entity, t)
  // the id of a session says nothing to a person
  if (entity_id === null || entity === 'session') return noun
  const named = things(entity, references).find(({ id }) => id === entity_id)?.name
  const own = entity === 'administrator' && entity_id === actor_id ? actor : undefined
  return t.subject(noun, named ?? nameIn(details) ?? nameIn(details.before) ?? own ?? String(entity_id))
}

/** Brands are known by the spelling that is shown. */
function nameIn(fields: unknown): string | undefined {
  const { name, canonical } = (fields ?? {}) as { name?: unknown; canonical?: unknown }
  return [name, canonical].find((text) => typeof text === 'string')
}

function things(entity: string, references: References | undefined) {
  if (entity === 'price-list') return references?.price_lists ?? []
  if (entity === 'storage') return references?.storages ?? []
  if (entity === 'pick-up-point') return references?.pick_up_points ?? []
  return []
}

/** Undefined for what has no page. */
export function subjectTarget({ entity, entity_id }: Pick<AuditEntry, 'entity' | 'entity_id'>): Target | undefined {
  switch (entity) {
    case 'settings':
      return { path: '/settings/general' }
    case 'erp-token':
      return { path: '/settings/erp' }
    case 'b2b-token':
      return { path: '/settings/b2b' }
    case 'brand-synonym':
      return { path: '/brands' }
    case 'media-job':
      return { path: '/pictures' }
    case 'administrator':
      return { path: '/administrators' }
    default:
      return entity_id === null ? undefined : pageOf(entity, entity_id)
  }
}

const PAGES: Record<string, string> = {
  'price-list': '/price-lists/$id',
  'import-task': '/imports/$id',
  storage: '/storages/$id',
  'pick-up-point': '/points/$id',
}

function pageOf(entity: string | null, id: number | string): Target | undefined {
  const path = entity !== null && Object.hasOwn(PAGES, entity) ? PAGES[entity] : undefined
  return path === undefined ? undefined : { path, params: { id } }
}

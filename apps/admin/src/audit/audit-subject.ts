/** The subject of an entry of the audit log: its name and its page. */
import type { Target } from '../overview/problem-target.js'
import type { References } from '../shell/jump-target.js'
import type { Texts } from '../texts/en.js'
import type { AuditEntry } from './audit-calls.js'

type Words = Pick<Texts['audit'], 'actions' | 'entities' | 'subject' | 'ownAccount' | 'ownLanguage'>
type Subject = Pick<AuditEntry, 'entity' | 'entity_id' | 'details' | 'actor' | 'actor_id'>

/** The action as it is where these pages are older than the gateway. */
export const wordAction = (action: string, t: Pick<Words, 'actions'>): string => wordOf(t.actions, action)

/** People change their own name, language and password by the action by which an owner changes them. */
export const wordEntry = (entry: Subject & Pick<AuditEntry, 'action'>, t: Words): string =>
  entry.action !== 'administrator.patch' || !isOwn(entry)
    ? wordAction(entry.action, t)
    : isLanguageAlone(entry.details)
      ? t.ownLanguage
      : t.ownAccount

/** The pages choose it for a person who accepts an invitation. */
const isLanguageAlone = (details: Record<string, unknown>): boolean =>
  'locale' in details && Object.keys(details).every((field) => field === 'id' || field === 'locale')

const isOwn = ({ entity, entity_id, actor_id }: Subject): boolean =>
  entity === 'administrator' && actor_id !== null && entity_id === actor_id

/** The actor of what is done by the installation's token. */
const TOKEN_HOLDER = 'admin'

/** Undefined: nobody, like at a refused sign-in of an unknown name. @param token the name of the token on the pages */
export function actorName(
  { actor, actor_id, action }: Pick<AuditEntry, 'actor' | 'actor_id' | 'action'>,
  token: string,
) {
  if (actor !== TOKEN_HOLDER || actor_id !== null) return actor
  return action === 'session.refused' ? undefined : token
}

/** The actor that a filter means: the token has another name in the log than on the pages. */
export const actorOf = (typed: string, token: string): string =>
  typed.trim().toLocaleLowerCase() === token.toLocaleLowerCase() ? TOKEN_HOLDER : typed

export const wordEntity = (entity: string, t: Words): string => wordOf(t.entities, entity)

const wordOf = (words: Record<string, string>, key: string): string =>
  Object.hasOwn(words, key) ? (words[key] ?? key) : key

/** `Price list Rossko`: its name now, else the one in the entry, else its number. */
export function wordSubject(entry: Subject, t: Words, references: References | undefined): string | undefined {
  const { entity, entity_id, details, actor } = entry
  if (entity === null) return undefined
  const noun = wordEntity(entity, t)
  // the id of a session says nothing to a person
  if (entity_id === null || entity === 'session') return noun
  const named = things(entity, references).find(({ id }) => id === entity_id)?.name
  const own = isOwn(entry) ? actor : undefined
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

import type { Texts } from '../texts/en.js'
import { KEPT_SECRET } from './kept-secret.js'

/** Names under which drafts have secrets: the password of a source, the value of a header. */
const SECRETS = new Set(['password', 'value'])

type Words = { general: Pick<Texts['general'], 'none' | 'yes' | 'no'>; kit: Pick<Texts['kit'], 'secret'> }

/**
 * A value of a draft in words. A secret is never shown, not even one that was typed a moment ago: only whether there is
 * one, and whether it is the stored one.
 * @param path of the value in the draft, like `1.password`
 */
export function showValue(value: unknown, path: string, t: Words): string {
  if (value === undefined || value === null || value === '') return t.general.none
  if (SECRETS.has(path.split('.').at(-1) ?? '')) return value === KEPT_SECRET ? t.kit.secret.kept : t.kit.secret.entered
  if (typeof value === 'boolean') return value ? t.general.yes : t.general.no
  if (Array.isArray(value)) return value.map((item) => showValue(item, path, t)).join(', ') || t.general.none
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${showValue(part, `${path}.${name}`, t)}`)
    .join(', ')
}

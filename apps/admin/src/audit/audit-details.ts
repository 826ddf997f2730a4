/** The details of an entry as lines of names and values. */
import type { WordValue } from './value-words.js'

export interface DetailLine {
  name: string
  /** Set where the entry has the value before the change. */
  before?: string
  value: string
}

interface Words {
  yes: string
  no: string
  none: string
  /** Of a value that is neither empty nor a list or an object. */
  word?: WordValue
}

/** The meaning of `replaced`, a former value: the end of a token, or the live version of a price list. */
const REPLACING: ReadonlySet<string> = new Set(['last4', 'version'])

/**
 * Nested fields are named by their path, like `supplier.base_url`. The outcome of the change is no detail. Where the
 * entry has what was there before, only what differs from it is shown.
 */
export function detailLines({ before, ...details }: Record<string, unknown>, words: Words): DetailLine[] {
  const lines = linesOfDetails(details, words)
  if (!isRecord(before)) return before === undefined ? lines : [...lines, ...linesOf('before', before, words)]
  const replaced = Object.entries(before).filter(([name]) => name in details)
  const old = new Map(linesOfFields('', Object.fromEntries(replaced), words).map(({ name, value }) => [name, value]))
  const gone = [...old.keys()].filter((name) => !lines.some((line) => line.name === name))
  return [
    ...lines.flatMap((line): DetailLine[] => {
      if (line.before !== undefined || !isReplaced(line, replaced)) return [line]
      const was = old.get(line.name) ?? words.none
      return was === line.value ? [] : [{ ...line, before: was }]
    }),
    ...gone
      .map((name): DetailLine => ({ name, before: old.get(name) ?? words.none, value: words.none }))
      // an empty object or list that has fields now
      .filter(({ before }) => before !== words.none),
  ]
}

/** Whether a line is of a field whose value before is known. */
const isReplaced = ({ name }: DetailLine, replaced: readonly [string, unknown][]): boolean =>
  replaced.some(([field]) => name === field || name.startsWith(`${field}.`))

function linesOfDetails(details: Record<string, unknown>, words: Words): DetailLine[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (name === 'outcome' && value === 'unknown') return []
    // the changed settings are fields of the entry, one level deeper
    if (name === 'changed' && isRecord(value)) return linesOfFields('', value, words)
    // people know a version by its number within the list
    if (name === 'version' && isChange(details.number)) return linesOf(name, details.number, words)
    if (name === 'number' && isChange(value) && 'version' in details) return []
    if (REPLACING.has(name) && 'replaced' in details)
      return [{ name, before: plain(name, details.replaced, words), value: plain(name, value, words) }]
    if (name === 'replaced' && Object.keys(details).some((other) => REPLACING.has(other))) return []
    return linesOf(name, value, words)
  })
}

export const isOutcomeUnknown = (details: Record<string, unknown>): boolean => details.outcome === 'unknown'

function linesOf(name: string, value: unknown, words: Words): DetailLine[] {
  if (isChange(value)) return [{ name, before: plain(name, value.from, words), value: plain(name, value.to, words) }]
  const nested = nestedFields(value)
  if (nested === undefined) return [{ name, value: plain(name, value, words) }]
  return linesOfFields(`${name}.`, nested, words)
}

const linesOfFields = (prefix: string, fields: object, words: Words): DetailLine[] =>
  Object.entries(fields).flatMap(([key, field]) => linesOf(`${prefix}${key}`, field, words))

/** Undefined for a value that one line shows: a scalar, a list of scalars, and anything that is empty. */
function nestedFields(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) return undefined
  return Object.keys(value).length === 0 ? undefined : value
}

function plain(path: string, value: unknown, words: Words): string {
  if (value === null || value === undefined || value === '') return words.none
  if (typeof value !== 'object') return words.word?.(path, value) ?? asItIs(value, words)
  const parts = Array.isArray(value)
    ? value.map((item) => plain(path, item, words))
    : Object.entries(value).map(([key, field]) => `${key}: ${plain(`${path}.${key}`, field, words)}`)
  return parts.length === 0 ? words.none : parts.join(', ')
}

const asItIs = (value: unknown, { yes, no }: Words): string =>
  typeof value === 'boolean' ? (value ? yes : no) : String(value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  isRecord(value) && Object.keys(value).length === 2 && 'from' in value && 'to' in value

/**
 * The state of a page in its URL: `urlState({ q: text(), page: count(1) })`, spread into a route. Values that cannot be
 * read become the initial ones, and initial ones are left out of the URL, so that every URL can be sent to a colleague.
 */
import type { SearchSchemaInput } from '@tanstack/react-router'

interface Parameter<Value> {
  initial: Value
  parse: (raw: string) => Value | undefined
  isMany?: boolean
}

type State<Parameters> = { [Name in keyof Parameters]: Parameters[Name] extends Parameter<infer Value> ? Value : never }

export const text = (initial = ''): Parameter<string> => ({ initial, parse: (raw) => raw })

/** A whole number from 1. */
export const count = <Initial extends number | undefined>(initial: Initial): Parameter<number | Initial> => ({
  initial,
  parse: (raw) => (/^[1-9]\d{0,14}$/.test(raw) ? Number(raw) : undefined),
})

/** An amount like 12.5. */
export const price = (): Parameter<number | undefined> => ({
  initial: undefined,
  parse: (raw) => (/^\d{1,12}(\.\d{1,2})?$/.test(raw) ? Number(raw) : undefined),
})

export const flag = (): Parameter<boolean> => ({ initial: false, parse: (raw) => raw === 'true' })

/** Yes, no, or undefined for both. */
export const choice = <const Value extends string>(values: readonly Value[]): Parameter<Value | undefined> => ({
  initial: undefined,
  parse: (raw) => values.find((value) => value === raw),
})

/** A day like 2026-11-22. */
export const day = (): Parameter<string | undefined> => ({
  initial: undefined,
  parse: (raw) => (/^\d{4}-\d\d-\d\d$/.test(raw) ? raw : undefined),
})

/** Several of them: `?status=failed&status=queued`. */
export const many = <const Value extends string>(values?: readonly Value[]): Parameter<Value[]> => ({
  initial: [],
  isMany: true,
  parse: (raw) =>
    raw
      .split('\n')
      .filter((item): item is Value => item !== '' && (values === undefined || values.includes(item as Value))),
})

export function urlState<Parameters extends Record<string, Parameter<unknown>>>(parameters: Parameters) {
  type Own = State<Parameters>
  const names = Object.keys(parameters)
  return {
    validateSearch: (raw: Partial<Own> & SearchSchemaInput): Own => {
      const given = raw as Record<string, unknown>
      return Object.fromEntries(names.map((name) => [name, readValue(parameters[name], given[name])])) as Own
    },
    search: {
      middlewares: [
        ({ search, next }: { search: Own; next: (search: Own) => Own }): Own => {
          const wanted = next(search)
          const kept = Object.entries(wanted).filter(
            ([name, value]) => JSON.stringify(value) !== JSON.stringify(parameters[name]?.initial),
          )
          return Object.fromEntries(kept) as Own
        },
      ],
    },
  }
}

function readValue(parameter: Parameter<unknown> | undefined, given: unknown): unknown {
  if (given === undefined || parameter === undefined) return parameter?.initial
  const items = (Array.isArray(given) ? given : [given]).map(String)
  const raw = parameter.isMany ? items.join('\n') : (items[0] ?? '')
  return parameter.parse(raw) ?? parameter.initial
}

/** `?a=1&b=2&b=3` → `{ a: '1', b: ['2', '3'] }`. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const all = parameters.getAll(name)
      return [name, all.length === 1 ? (all[0] ?? '') : all]
    }),
  )
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) parameters.append(name, String(item))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

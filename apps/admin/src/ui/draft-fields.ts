import { parseNumber } from './formats.js'

/** Of a limit, as file managers count: the default of 52,428,800 bytes is 50. */
export const MEGABYTE = 1_048_576

/** How a number is edited as a text. */
export interface NumberField {
  /** The text is the number times this: 100 for a share in percent. */
  scale?: number
  isWhole?: boolean
  /** What a blank is sent as, or that the field is left out then. Absent: a number is required. */
  blank?: number | null | 'left out'
}

type NumberFields = { readonly [Name in string]?: NumberField }
type Read<Fields extends NumberFields> = {
  [Name in keyof Fields & string]?: number | (Fields[Name] extends { blank: null } ? null : never)
}

/** The texts of numbers; blank: none. */
export function showNumbers<Fields extends NumberFields>(
  fields: Fields,
  values: { [Name in keyof Fields]?: number | null | undefined },
): Record<keyof Fields & string, string> {
  const texts = Object.entries(fields).map(([name, field]) => [name, showNumber(values[name], field?.scale)])
  return Object.fromEntries(texts) as Record<keyof Fields & string, string>
}

function showNumber(value: number | null | undefined, scale: number | undefined): string {
  if (value === null || value === undefined) return ''
  // 0.07 × 100 is not quite 7
  return String(scale === undefined ? value : Math.round(value * scale * 1e6) / 1e6)
}

/** @returns the numbers to send, and the fields that cannot be read */
export function readNumbers<Fields extends NumberFields>(
  fields: Fields,
  draft: Record<keyof Fields & string, string>,
  names: readonly string[] = Object.keys(fields),
): { numbers: Read<Fields>; invalid: (keyof Fields & string)[] } {
  const numbers: Record<string, number | null> = {}
  const invalid: string[] = []
  for (const name of names) {
    const { scale = 1, isWhole = false, blank } = fields[name] ?? {}
    const value = parseNumber(draft[name] ?? '')
    if (value === undefined && blank === 'left out') continue
    if (Number.isNaN(value) || (value === undefined && blank === undefined)) invalid.push(name)
    else if (value === undefined) numbers[name] = blank as number | null
    else numbers[name] = isWhole ? Math.round(value / scale) : value / scale
  }
  return { numbers: numbers as Read<Fields>, invalid: invalid as (keyof Fields & string)[] }
}

/**
 * Only what differs from what the draft was made of, so that the change of one field does not restore an older value of
 * another one.
 * @returns the changes to send, and the numbers that cannot be read
 */
export function readChanges<Draft extends object, Fields extends { [Name in keyof Draft & string]?: NumberField }>(
  draft: Draft,
  base: NoInfer<Draft>,
  fields: Fields,
): { body: Partial<Omit<Draft, keyof Fields>> & Read<Fields>; invalid: (keyof Fields & string)[] } {
  const names = (Object.keys(draft) as (keyof Draft & string)[]).filter(
    (name) => JSON.stringify(draft[name]) !== JSON.stringify(base[name]),
  )
  const isNumber = (name: string) => name in fields
  const texts = draft as Record<string, string>
  const { numbers, invalid } = readNumbers<Fields>(fields, texts as never, names.filter(isNumber))
  const others = names.filter((name) => !isNumber(name)).map((name) => [name, draft[name]])
  return { body: { ...Object.fromEntries(others), ...numbers }, invalid }
}

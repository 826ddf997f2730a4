/** Paths at which two values differ: `supplier.base_url`. Arrays count as one value. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return []
  if (!isPlain(before) || !isPlain(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changedPaths(before[name], after[name], path === '' ? name : `${path}.${name}`))
}

/** How many values differ: a part that was added or removed counts as often as it has values. */
export function countChanges(before: unknown, after: unknown): number {
  return changedPaths(before, after).reduce((sum, path) => {
    const sides = path === '' ? [before, after] : [valueAt(before, path), valueAt(after, path)]
    const part = sides.includes(undefined) ? sides.find(isPlain) : undefined
    return sum + (part === undefined ? 1 : Math.max(1, countChanges({}, part)))
  }, 0)
}

export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((part, name) => (isPlain(part) ? part[name] : undefined), value)
}

/** A copy with another value at a path. */
export function withValueAt<Value>(value: Value, path: string, next: unknown): Value {
  const [name = '', ...rest] = path.split('.')
  const part: Record<string, unknown> = isPlain(value) ? value : {}
  return { ...part, [name]: rest.length === 0 ? next : withValueAt(part[name], rest.join('.'), next) } as Value
}

/** `saved`, with what was changed from `sent` to `now`: the edits that were made while `sent` was being saved. */
export function withLaterEdits<Value>(sent: Value, now: Value, saved: Value): Value {
  return withValuesFrom(saved, now, changedPaths(sent, now))
}

/** `value` with what `from` has at these paths. A part that `value` lacks is taken as a whole. */
export function withValuesFrom<Value>(value: Value, from: Value, paths: readonly string[]): Value {
  return paths.reduce((next, path) => {
    const present = nearestPart(next, path)
    const part = valueAt(from, present)
    return part === undefined ? without(next, present) : withValueAt(next, present, part)
  }, value)
}

/** The path itself, or the first one above it at which there is nothing with fields. */
function nearestPart(value: unknown, path: string): string {
  const names = path.split('.')
  const paths = names.map((_, at) => names.slice(0, at + 1).join('.'))
  return paths.find((part) => !isPlain(valueAt(value, part))) ?? path
}

/**
 * What two people made of one list, when both changes are wanted: `theirs`, with what was added and removed in `mine`.
 * Undefined where these are no lists of plain values.
 */
export function mergeLists(base: unknown, mine: unknown, theirs: unknown): unknown[] | undefined {
  if (!isList(base) || !isList(mine) || !isList(theirs)) return undefined
  const added = mine.filter((item) => !base.includes(item) && !theirs.includes(item))
  return [...theirs.filter((item) => mine.includes(item) || !base.includes(item)), ...added]
}

/** Only a part of the whole can be removed; a field of a part is set to nothing. */
function without<Value>(value: Value, path: string): Value {
  if (path.includes('.') || !isPlain(value)) return withValueAt(value, path, undefined)
  const { [path]: _, ...rest } = value
  return rest as Value
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')

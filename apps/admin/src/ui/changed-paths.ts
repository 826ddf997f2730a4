/** Paths at which two values differ: `supplier.base_url`. Arrays count as one value. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return []
  if (!isPlain(before) || !isPlain(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changedPaths(before[name], after[name], path === '' ? name : `${path}.${name}`))
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
  return changedPaths(sent, now).reduce((value, path) => {
    const edited = valueAt(now, path)
    return edited === undefined ? without(value, path) : withValueAt(value, path, edited)
  }, saved)
}

/** Only a part of the whole can be removed; a field of a part is set to nothing. */
function without<Value>(value: Value, path: string): Value {
  if (path.includes('.') || !isPlain(value)) return withValueAt(value, path, undefined)
  const { [path]: _, ...rest } = value
  return rest as Value
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

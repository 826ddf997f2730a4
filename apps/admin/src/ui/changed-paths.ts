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

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

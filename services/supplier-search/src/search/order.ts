/** By code units, so that the order is the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Sorted by several values, one after the other; a missing number comes last. */
export function sortedBy<T>(
  items: readonly T[],
  valuesOf: (item: T) => ReadonlyArray<string | number | undefined>,
): T[] {
  const keyed = items.map((item) => ({ item, values: valuesOf(item) }))
  keyed.sort((one, other) => {
    for (let at = 0; at < one.values.length; at += 1) {
      const order = compareValues(one.values[at], other.values[at])
      if (order !== 0) return order
    }
    return 0
  })
  return keyed.map(({ item }) => item)
}

function compareValues(one: string | number | undefined, other: string | number | undefined): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  const left = typeof one === 'number' ? one : Infinity
  const right = typeof other === 'number' ? other : Infinity
  return left < right ? -1 : left > right ? 1 : 0
}

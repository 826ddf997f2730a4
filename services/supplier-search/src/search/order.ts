/** By code units, so that the order is the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares by several values, one after the other; a missing number comes last. */
export function compareWith<T>(valuesOf: (item: T) => ReadonlyArray<string | number | undefined>): (one: T, other: T) => number {
  return (one, other) => {
    const others = valuesOf(other)
    for (const [at, value] of valuesOf(one).entries()) {
      const order = compareValues(value, others[at])
      if (order !== 0) return order
    }
    return 0
  }
}

function compareValues(one: string | number | undefined, other: string | number | undefined): number {
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other)
  const left = typeof one === 'number' ? one : Infinity
  const right = typeof other === 'number' ? other : Infinity
  return left < right ? -1 : left > right ? 1 : 0
}

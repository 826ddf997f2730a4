/**
 * The rows of several replies to one query, each as often as in the reply that has it most often: a supplier that knows
 * synonyms of brands returns the same offers for each spelling, while one reply may have two equal offers.
 */
export function unionOfReplies<Row>(replies: ReadonlyArray<readonly Row[]>): Row[] {
  const [only] = replies
  if (only && replies.length === 1) return [...only]
  const merged = new Map<string, number>()
  return replies.flatMap((rows) => {
    const counts = new Map<string, number>()
    return rows.filter((row) => {
      const text = JSON.stringify(row)
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      if (count <= (merged.get(text) ?? 0)) return false
      merged.set(text, count)
      return true
    })
  })
}

/**
 * The rows of several replies to one question, each as often as the reply that holds it most often: a supplier that knows
 * synonyms of brands gives the same offers for each spelling, while one reply may hold two offers that read alike.
 */
export function unionOfReplies<Row>(replies: ReadonlyArray<readonly Row[]>): Row[] {
  const [only] = replies
  if (only && replies.length === 1) return [...only]
  const taken = new Map<string, number>()
  return replies.flatMap((rows) => {
    const counts = new Map<string, number>()
    return rows.filter((row) => {
      const text = JSON.stringify(row)
      const count = (counts.get(text) ?? 0) + 1
      counts.set(text, count)
      if (count <= (taken.get(text) ?? 0)) return false
      taken.set(text, count)
      return true
    })
  })
}

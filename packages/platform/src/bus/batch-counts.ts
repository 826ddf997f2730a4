/** Counts of the reply to a batch, like `{processed: 3, created: 1, updated: 2, errors: 0}` (erp.md#batch-log). */
export type BatchCounts = Record<string, number>

const unchangedItems = new WeakMap<object, number>()

/** Records how many items of a batch changed nothing; the reply itself does not say it. */
export function noteUnchanged<Reply extends object>(reply: Reply, count: number): Reply {
  unchangedItems.set(reply, count)
  return reply
}

/** The numbers of a reply, and the lengths of its lists. @returns undefined when it is no reply to a batch */
export function countBatch(reply: unknown): BatchCounts | undefined {
  if (typeof reply !== 'object' || reply === null || !('processed' in reply || 'requested' in reply)) return undefined
  const counts: BatchCounts = {}
  for (const [name, value] of Object.entries(reply)) {
    if (typeof value === 'number') counts[name] = value
    else if (Array.isArray(value)) counts[name] = value.length
  }
  const unchanged = unchangedItems.get(reply)
  return unchanged === undefined ? counts : { ...counts, unchanged }
}

/** As header text: `processed=3,created=1`. */
export function writeCounts(counts: BatchCounts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(',')
}

export function readCounts(text: string | undefined): BatchCounts | undefined {
  if (!text) return undefined
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', count] = pair.split('=')
      return [name, Number(count)]
    }),
  )
}

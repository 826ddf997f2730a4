import type { MediaPart } from './media-part.js'

/** The sets are looked at after pauses that grow from the first to the second; looking at many costs more, and waits longer. */
const FIRST_MS = 40
const LAST_MS = 1_000
const EACH_MS = 0.4

/**
 * Waits until every set of a call is decided, or replaced by another call, at most `waitMs`.
 * What this process decides is known at once; what others decide is seen by looking.
 */
export async function waitForSets(media: MediaPart, ids: string[], request: string, waitMs: number): Promise<void> {
  const open = new Set(ids)
  const end = performance.now() + waitMs
  let wake = (): void => undefined
  const unlisten = media.settled.listen((id, by) => {
    if (by === request && open.delete(id) && open.size === 0) wake()
  })
  try {
    for (let gap = FIRST_MS; open.size > 0; gap = Math.min(gap * 1.6, LAST_MS)) {
      const left = end - performance.now()
      if (left <= 0) return
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.min(Math.max(gap, open.size * EACH_MS), left))
        wake = () => {
          clearTimeout(timer)
          done()
        }
      })
      if (open.size > 0) for (const id of await media.sets.findOver([...open], request)) open.delete(id)
    }
  } finally {
    unlisten()
  }
}

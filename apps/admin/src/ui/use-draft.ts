import { useMemo, useState } from 'react'
import { changedPaths, countChanges, withLaterEdits } from './changed-paths.js'

/**
 * What a person edits, over what is stored. A newer stored value replaces an untouched draft at once and never a
 * changed one: `isOutdated` then says that there is one, and saving with the old revision answers 412.
 */
export function useDraft<Value>(stored: Value, revision: string | null = null) {
  const [base, setBase] = useState({ value: stored, revision })
  const [draft, setDraft] = useState(stored)
  const changed = useMemo(() => changedPaths(base.value, draft), [base, draft])
  const isDirty = changed.length > 0
  const isNewer = revision === null ? stored !== base.value : revision !== base.revision
  if (isNewer && !isDirty) {
    setBase({ value: stored, revision })
    setDraft(stored)
  }
  return {
    draft,
    /** The revision that the draft was made of, for `ifMatch`. */
    revision: base.revision,
    base: base.value,
    changed,
    /** For people: of a part that is new or gone each value. */
    changes: countChanges(base.value, draft),
    isDirty,
    isOutdated: isNewer && isDirty,
    change: (part: Partial<Value>) => setDraft((value) => ({ ...value, ...part })),
    replace: setDraft,
    discard: () => {
      setBase({ value: stored, revision })
      setDraft(stored)
    },
    /**
     * After a save of this draft. What was typed since then stays.
     * @param rename gives the parts of a draft the names that they have in `value`
     * @param sent the draft that was saved, where it was not on the page yet
     */
    saved: (value: Value, nextRevision: string | null, rename = (part: Value): Value => part, sent = draft) => {
      setBase({ value, revision: nextRevision })
      setDraft((now) => withLaterEdits(rename(sent), rename(now), value))
    },
    /** To go on from a newer revision: `next` stays the draft. */
    rebase: (value: Value, nextRevision: string | null, next: Value) => {
      setBase({ value, revision: nextRevision })
      setDraft(next)
    },
  }
}

let count = 0

/** Notes a form with changes; the answer forgets it again. For an effect. */
export function noteUnsaved(isDirty: boolean): (() => void) | undefined {
  if (!isDirty) return undefined
  count += 1
  return () => {
    count -= 1
  }
}

/** A reload would lose what somebody has typed. */
export const hasUnsaved = () => count > 0

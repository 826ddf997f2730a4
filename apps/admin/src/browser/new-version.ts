import { useSyncExternalStore } from 'react'

let isAsked = false
const listeners = new Set<() => void>()

/** Shows a bar: a newer version of the pages is there. */
export function askToReload(): void {
  isAsked = true
  for (const changed of listeners) changed()
}

export const useIsReloadAsked = () =>
  useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => isAsked,
  )

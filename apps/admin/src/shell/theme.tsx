import { useSyncExternalStore } from 'react'
import { storedPreference, storePreference } from '../browser/preferences.js'

export type Theme = 'auto' | 'light' | 'dark'

const listeners = new Set<() => void>()
let current = readStored()

function readStored(): Theme {
  const stored = storedPreference('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

export function applyTheme(theme: Theme): void {
  storePreference('theme', theme === 'auto' ? null : theme)
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  current = theme
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Every control shows the same theme, wherever it was chosen. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => current)

import { useState } from 'react'
import { storedPreference, storePreference } from './preferences.js'

export type Theme = 'auto' | 'light' | 'dark'

export function applyTheme(theme: Theme): void {
  storePreference('theme', theme === 'auto' ? null : theme)
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const stored = storedPreference('theme')
  const [theme, setTheme] = useState<Theme>(stored === 'light' || stored === 'dark' ? stored : 'auto')
  return [
    theme,
    (next) => {
      applyTheme(next)
      setTheme(next)
    },
  ]
}

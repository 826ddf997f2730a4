import { useEffect } from 'react'
import { storedPreference, storePreference } from '../browser/preferences.js'

const OFF = 'off'

let isOn = storedPreference('shortcuts') !== OFF

/** Single keys can be switched off in a browser (own account): they collide with dictation and some keyboards. */
export function switchShortcuts(on: boolean): void {
  isOn = on
  storePreference('shortcuts', on ? null : OFF)
}

export const areShortcutsOn = () => isOn

/** Runs `act` when the key is pressed alone, outside of a field and of a dialog. */
export function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isOn || event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('input, textarea, select, [contenteditable], dialog')) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}

import { useEffect } from 'react'

let isOn = true

/** Single keys can be switched off (own account). They live as long as the page. */
export function switchShortcuts(on: boolean): void {
  isOn = on
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

import { type ChangeEvent, type KeyboardEvent, useRef, useState } from 'react'

/** Keys that open the list of a select; what is chosen in it is chosen. */
const OPENING: ReadonlySet<string> = new Set(['Enter', ' ', 'F4'])

/**
 * For a native `<select>` whose choice has effects: `<select {...useSettledChoice(value, onChoose)}>`. Keys in the
 * closed list pass all options on the way to the wanted one, so what they pass is chosen by Enter, or when the field is
 * left; Escape goes back.
 */
export function useSettledChoice(value: string, onChoose: (value: string) => void) {
  const [passed, setPassed] = useState<string>()
  const isPassing = useRef(false)
  const settle = () => {
    setPassed(undefined)
    if (passed !== undefined && passed !== value) onChoose(passed)
  }
  return {
    value: passed ?? value,
    onPointerDown: () => {
      isPassing.current = false
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { key, altKey } = event
      isPassing.current = !altKey && !OPENING.has(key)
      if (key === 'Escape') setPassed(undefined)
      if (key !== 'Enter' || passed === undefined) return
      event.preventDefault()
      settle()
    },
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => {
      if (isPassing.current) return setPassed(target.value)
      setPassed(undefined)
      onChoose(target.value)
    },
    onBlur: settle,
  }
}

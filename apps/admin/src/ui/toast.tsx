import { useSyncExternalStore } from 'react'
import { useTexts } from '../texts/language.js'
import { IconButton } from './button.js'
import { Icon } from './icon.js'
import styles from './toast.module.css'

/** Long enough to be read, ms. */
const SHOWN_MS = 6_000

interface Toast {
  id: number
  text: string
}

let toasts: Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: Toast[]) {
  toasts = next
  for (const changed of listeners) changed()
}

/** Says that something succeeded, where the page does not show it anyway. Failures stay in the page. */
export function toast(text: string): void {
  const id = (lastId += 1)
  show([...toasts.slice(-2), { id, text }])
  setTimeout(() => show(toasts.filter((other) => other.id !== id)), SHOWN_MS)
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export function ToastRegion() {
  const t = useTexts()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.region} role="status" aria-label={t.kit.notifications}>
      {shown.map(({ id, text }) => (
        <div key={id} className={styles.toast}>
          <Icon name="good" />
          <span>{text}</span>
          <IconButton
            isSmall
            icon="close"
            label={t.kit.dismiss}
            onClick={() => show(toasts.filter((other) => other.id !== id))}
          />
        </div>
      ))}
    </div>
  )
}

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from '../texts/language.js'
import { IconButton } from './button.js'
import { classNames } from './class-names.js'
import styles from './dialog.module.css'

interface DialogProps {
  title: ReactNode
  children: ReactNode
  /** Buttons, the one that goes on last. */
  actions?: ReactNode
  /** Without it neither Escape nor a click outside closes the dialog. */
  onClose?: () => void
  isWide?: boolean
}

/** A modal dialog, shown as long as it is rendered. The browser keeps the focus in it and gives it back. */
export function Dialog({ title, children, actions, onClose, isWide = false }: DialogProps) {
  const t = useTexts()
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    const dialog = ref.current
    const cancel = (event: Event) => {
      // the browser would close it without telling the page
      event.preventDefault()
      onClose?.()
    }
    // a second Escape closes a dialog although the first was prevented
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && onClose === undefined && event.preventDefault()
    const outside = (event: MouseEvent) => event.target === dialog && onClose?.()
    dialog?.addEventListener('cancel', cancel)
    dialog?.addEventListener('keydown', escape)
    dialog?.addEventListener('mousedown', outside)
    return () => {
      dialog?.removeEventListener('cancel', cancel)
      dialog?.removeEventListener('keydown', escape)
      dialog?.removeEventListener('mousedown', outside)
    }
  }, [onClose])
  return (
    <dialog ref={ref} className={classNames(styles.dialog, isWide && styles.wide)} aria-labelledby={id}>
      <div className={styles.box}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          {onClose && <IconButton label={t.general.close} icon="close" isSmall onClick={onClose} />}
        </header>
        <div className={styles.body}>{children}</div>
        {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  )
}

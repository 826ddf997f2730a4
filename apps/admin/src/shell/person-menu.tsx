import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { admin } from '../calls/admin-client.js'
import { base } from '../browser/page-address.js'
import styles from './person-menu.module.css'

/** The name of the signed-in person, with links to the account and to sign out. */
export function PersonMenu() {
  const t = useTexts()
  const { administrator } = useSession().session
  const details = useRef<HTMLDetailsElement>(null)
  const [isLeaving, setIsLeaving] = useState(false)
  const name = administrator.id === null ? t.shell.person.token : administrator.display_name || administrator.name
  const close = () => {
    if (details.current) details.current.open = false
  }
  useEffect(() => {
    const menu = details.current
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && close()
    const elsewhere = (event: Event) => event.target instanceof Node && !menu?.contains(event.target) && close()
    menu?.addEventListener('keydown', escape)
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, elsewhere)
    return () => {
      menu?.removeEventListener('keydown', escape)
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, elsewhere)
    }
  }, [])
  const signOut = () => {
    setIsLeaving(true)
    // a session that is over already is what was wanted
    void admin('DELETE /session')
      .catch(() => undefined)
      .then(() => location.assign(`${base}sign-in`))
  }
  return (
    <details ref={details} className={styles.menu}>
      <summary className={styles.button}>
        <span className={styles.initial} aria-hidden="true">
          {[...name][0]?.toLocaleUpperCase()}
        </span>
        <span className={styles.name}>{name}</span>
        <Icon name="down" />
      </summary>
      <div className={styles.popup}>
        <p className={styles.who}>
          <strong>{name}</strong>
          <span className="muted small">{t.shell.roles[administrator.role]}</span>
        </p>
        <Link to="/account" className={styles.item} onClick={close}>
          {t.shell.pages.account}
        </Link>
        <Button kind="secondary" isBusy={isLeaving} onClick={signOut}>
          {t.shell.person.signOut}
        </Button>
      </div>
    </details>
  )
}

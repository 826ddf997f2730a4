import type { ReactNode } from 'react'
import { Logo } from '../shell/logo.js'
import { Preferences } from '../shell/preference-controls.js'
import { useTexts } from '../texts/language.js'
import styles from './signed-out-frame.module.css'

/** The frame of pages that need no session. */
export function SignedOutFrame({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const t = useTexts()
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <p className={styles.product}>
          <Logo />
          <span>{t.shell.product}</span>
        </p>
        <h1 className={styles.title}>{title}</h1>
        {lead !== undefined && <p className="muted">{lead}</p>}
        {children}
      </div>
      <Preferences isAlways />
    </main>
  )
}

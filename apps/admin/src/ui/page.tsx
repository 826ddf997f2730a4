import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../texts/language.js'
import styles from './page.module.css'

interface PageProps {
  title: string
  /** Above the title: where this page belongs. */
  above?: ReactNode
  /** Beside the title: a state. */
  beside?: ReactNode
  /** Buttons at the right. */
  actions?: ReactNode
  /** Under the title: one sentence. */
  lead?: ReactNode
  children: ReactNode
}

/** Every page: the window's title, one `h1` that is focused on navigation, and the content. */
export function Page({ title, above, beside, actions, lead, children }: PageProps) {
  const t = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${t.shell.product}`
  }, [title, t])
  useEffect(() => {
    // a page that has put the focus somewhere keeps it there
    if (document.activeElement === document.body || document.activeElement?.closest('nav'))
      heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {above !== undefined && <div className={styles.above}>{above}</div>}
        <div className={styles.line}>
          <div className={styles.title}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
          {actions !== undefined && <div className="row">{actions}</div>}
        </div>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </header>
      {children}
    </div>
  )
}

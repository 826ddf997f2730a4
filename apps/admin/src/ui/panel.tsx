import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.js'
import styles from './panel.module.css'

interface PanelProps {
  title?: ReactNode
  /** Buttons and links at the right of the title. */
  actions?: ReactNode
  /** Without inner space, for a table that reaches the edges. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page with a title of its own. */
export function Panel({ title, actions, isFlush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={classNames(styles.body, isFlush && styles.flush)}>{children}</div>
    </section>
  )
}

/** A message in the page, in the colours of its state. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone: 'good' | 'warning' | 'danger' | 'info'
  title?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className={classNames(styles.notice, styles[tone])}>
      {title !== undefined && <p className={styles.noticeTitle}>{title}</p>}
      {children}
    </div>
  )
}

/** Names and values, in one column on a phone. */
export function Facts({ facts }: { facts: { name: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }, at) => (
        <div key={at} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

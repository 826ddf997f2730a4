import type { ReactNode } from 'react'
import { classNames } from './class-names.js'
import { Icon, type IconName } from './icon.js'
import styles from './mark.module.css'

export type Tone = 'good' | 'warning' | 'danger' | 'quiet' | 'running' | 'waiting'

/** A state: an icon and its word, so that colour never stands alone. */
export function Mark({ tone, children, icon = tone }: { tone: Tone; children: ReactNode; icon?: IconName }) {
  return (
    <span className={classNames(styles.mark, styles[tone])}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  )
}

/** The same as a small label with a ground of its own. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>
}

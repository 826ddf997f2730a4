import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

/** Tabs that are pages of their own: the URL says which one is open. */
export function Tabs({ label, tabs }: { label: string; tabs: { link: LinkProps; text: ReactNode }[] }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ link, text }) => (
        <Link
          key={`${link.to} ${JSON.stringify(link.params)}`}
          {...link}
          className={styles.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

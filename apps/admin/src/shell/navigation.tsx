import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { isAtLeast } from '../calls/role.js'
import { useSession } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Icon } from '../ui/icon.js'
import { VisuallyHidden } from '../ui/visually-hidden.js'
import { prefix } from '../browser/page-address.js'
import { type Entry, GROUPS } from './navigation-entries.js'
import styles from './navigation.module.css'
import { useProblemCounts } from './use-problem-counts.js'

/** The pages that the role may open, with the number of problems that each has. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTexts()
  const { session } = useSession()
  const { routesByPath } = useRouter()
  const problems = useProblemCounts()
  const isShown = ({ to, role }: Entry) => to in routesByPath && isAtLeast(session.administrator.role, role)
  const groups = GROUPS.map((group) => ({ ...group, entries: group.entries.filter(isShown) }))
  return (
    <nav className={styles.navigation} aria-label={t.shell.navigation}>
      {groups
        .filter(({ entries }) => entries.length > 0)
        .map(({ title, entries }) => (
          <div key={entries[0]?.page} className={styles.group}>
            {title !== undefined && <p className={styles.title}>{t.shell.groups[title]}</p>}
            <ul>
              {entries.map((entry) => (
                <li key={entry.page}>
                  <EntryLink entry={entry} problems={problems.get(entry.page) ?? 0} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      <div className={styles.group}>
        <ul>
          <li>
            <a className={styles.entry} href={`${prefix}/docs`} target="_blank" rel="noreferrer">
              <Icon name="external" />
              <span>{t.shell.pages.api}</span>
              <VisuallyHidden>{`(${t.shell.opensElsewhere})`}</VisuallyHidden>
            </a>
          </li>
        </ul>
      </div>
    </nav>
  )
}

function EntryLink({ entry, problems, onNavigate }: { entry: Entry; problems: number; onNavigate?: () => void }) {
  const t = useTexts()
  const path = useLocation({ select: ({ pathname }) => pathname })
  // a page of one thing, and the tabs of the settings, belong to the entry of their list
  const section = `/${entry.to.split('/')[1] ?? ''}`
  const isCurrent = section === '/' ? path === '/' : path === section || path.startsWith(`${section}/`)
  return (
    <Link
      to={entry.to}
      className={styles.entry}
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onNavigate}
    >
      <Icon name={entry.icon} />
      <span>{t.shell.pages[entry.page]}</span>
      {problems > 0 && (
        <span className={styles.problems} title={t.shell.problems(problems)}>
          {problems}
          <VisuallyHidden>{t.shell.problems(problems)}</VisuallyHidden>
        </span>
      )}
    </Link>
  )
}

import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { isAway } from '../calls/query-client.js'
import type { Role } from '../calls/role.js'
import { useSession } from '../calls/session.js'
import type { Texts } from '../texts/en.js'
import { useTexts } from '../texts/language.js'
import { Button, useIsLate } from './button.js'
import { Icon, type IconName } from './icon.js'
import { Notice } from './panel.js'
import { RequestId, useErrorText } from './refusal.js'
import styles from './state.module.css'
import { useOwners } from '../calls/use-overview.js'

interface LoadedProps<Data> {
  from: UseQueryResult<Data>
  /** Of the height the content will have, so that nothing shifts. */
  skeleton?: ReactNode
  /** The part of Partsbus that is named when it does not answer: the first segment of the path of the call. */
  part?: keyof Texts['states']['parts']
  /** Where a 404 means that a thing is gone. */
  gone?: { what: string; link: ReactNode }
  children: (data: Data) => ReactNode
}

/**
 * Shows what a query has: a skeleton, the data, or why there is none. Data that is there stays while newer is fetched,
 * and stays with a word when that fails.
 */
export function Loaded<Data>({ from, skeleton = <Skeleton />, part = 'other', gone, children }: LoadedProps<Data>) {
  const t = useTexts()
  const isLate = useIsLate(from.isPending)
  const error = from.error ?? from.failureReason
  if (error instanceof AnswerError && error.status === 404 && gone) return <Gone {...gone} />
  if (error instanceof AnswerError && error.status === 403) return <NoPermission />
  const isSignedOut = error instanceof AnswerError && error.status === 401
  if (from.data !== undefined) {
    return (
      <>
        {error !== null && !isSignedOut && (
          <div className={styles.stale}>
            <Notice tone="warning">{t.states.stale}</Notice>
          </div>
        )}
        {children(from.data)}
      </>
    )
  }
  if (error !== null && !isSignedOut)
    return <Failed error={error} part={t.states.parts[part]} retry={() => void from.refetch()} />
  return (
    <div aria-busy="true" className={isLate ? undefined : styles.waiting}>
      {skeleton}
    </div>
  )
}

/** An error in place: in words, with the request id, and a way to try again. */
export function Failed({ error, part, retry }: { error: unknown; part?: string; retry?: () => void }) {
  const t = useTexts()
  return (
    <div role="alert">
      <Notice tone={isAway(error) ? 'warning' : 'danger'} title={t.states.failed}>
        <p>{useErrorText(error, part)}</p>
        <RequestId error={error} />
        {retry && (
          <p>
            <Button isSmall icon="refresh" onClick={retry}>
              {t.general.retry}
            </Button>
          </p>
        )}
      </Notice>
    </div>
  )
}

/** Grey bars where content will be. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={styles.bar} />
      ))}
    </div>
  )
}

/** Nothing is there yet, or nothing matches: what it is, and what to do. */
export function Empty({
  icon = 'quiet',
  title,
  children,
  action,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} />
      </span>
      <p className={styles.emptyTitle}>{title}</p>
      {children !== undefined && <div className={styles.emptyText}>{children}</div>}
      {action}
    </div>
  )
}

/** For a page that the role may not open. */
export function NoPermission() {
  const t = useTexts()
  const { session } = useSession()
  const owners = useOwners()
  return (
    <Empty icon="key" title={t.states.noPermission}>
      {t.states.mayNot(t.shell.roles[session.administrator.role as Role], owners.join(', '))}
    </Empty>
  )
}

/** For a thing that is not there. */
export function Gone({ what, link }: { what: string; link: ReactNode }) {
  const t = useTexts()
  return (
    <Empty icon="search" title={t.states.gone} action={link}>
      {t.states.goneText(what)}
    </Empty>
  )
}

/** No route has this address. */
export function NoSuchPage({ path }: { path: string }) {
  const t = useTexts()
  return (
    <Empty icon="search" title={t.shell.notFound.title} action={<Link to="/">{t.shell.notFound.link}</Link>}>
      {t.shell.notFound.text(path)}
    </Empty>
  )
}

import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { EndedSession } from '../session/ended-session.js'
import type { Session } from '@partsbus/contracts/administration/administrator'
import { isAtLeast, type Role } from '../calls/role.js'
import { SessionProvider, useSession, useSessionQuery } from '../calls/session.js'
import { useLanguage, useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { Page } from '../ui/page.js'
import { Failed, NoPermission } from '../ui/state.js'
import styles from './app-shell.module.css'
import { HeadBar } from './head-bar.js'
import { Navigation } from './navigation.js'
import { useIsReloadAsked } from '../browser/new-version.js'
import { Preferences } from './preference-controls.js'
import { isAway } from '../calls/query-client.js'
import { applyTheme } from './theme.js'
import { useIsOffline } from '../browser/use-is-offline.js'

/** The frame around every page of a signed-in person. */
export function AppShell() {
  const query = useSessionQuery()
  const [wasOpen, setWasOpen] = useState(false)
  const isSignedOut = query.data === null && !wasOpen
  useSignInPage(isSignedOut)
  if (query.data && !wasOpen) setWasOpen(true)
  const error = query.error ?? query.failureReason
  if (query.data === undefined) {
    return error === null ? null : (
      <main className={styles.alone}>
        <Failed error={error} retry={isAway(error) ? undefined : () => void query.refetch()} />
      </main>
    )
  }
  if (isSignedOut) return null
  return (
    <SessionProvider current={query.data}>
      <Frame />
    </SessionProvider>
  )
}

/** Leads to the sign-in page, which leads back. */
function useSignInPage(isSignedOut: boolean): void {
  const router = useRouter()
  useEffect(() => {
    if (!isSignedOut) return
    const { pathname, searchStr } = router.latestLocation
    const next = `${pathname}${searchStr}`
    void router.navigate({ to: '/sign-in', search: { next: next === '/' ? '' : next }, replace: true })
  }, [isSignedOut, router])
}

function Frame() {
  const t = useTexts()
  const { session, isEnded } = useSession()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const sidebar = useRef<HTMLDivElement>(null)
  usePreferencesOf(session)
  // the page is rendered after its frame and in slices, so that no task blocks a slow phone for long
  const isPageDue = useDeferredValue(true, false)
  useEffect(() => {
    if (!isMenuOpen) return
    sidebar.current?.querySelector('a')?.focus()
    const escape = (event: KeyboardEvent) => event.key === 'Escape' && setIsMenuOpen(false)
    addEventListener('keydown', escape)
    return () => removeEventListener('keydown', escape)
  }, [isMenuOpen])
  return (
    <div className={styles.frame}>
      <a href="#content" className={styles.skip}>
        {t.shell.skipToContent}
      </a>
      <HeadBar isMenuOpen={isMenuOpen} onMenu={() => setIsMenuOpen(!isMenuOpen)} />
      <div ref={sidebar} className={styles.sidebar} data-open={isMenuOpen || undefined}>
        <Navigation onNavigate={() => setIsMenuOpen(false)} />
        <section className={styles.preferences} aria-label={t.shell.preferences}>
          <Preferences isAlways />
        </section>
      </div>
      {isMenuOpen && (
        <button
          type="button"
          className={styles.veil}
          aria-label={t.shell.closeMenu}
          onClick={() => setIsMenuOpen(false)}
        />
      )}
      <main id="content" className={styles.main} tabIndex={-1}>
        <Bars />
        {isPageDue && (
          <RoleGate>
            <Outlet />
          </RoleGate>
        )}
      </main>
      {isEnded && <EndedSession />}
    </div>
  )
}

/** Offline, or a newer version: said once, above every page. */
function Bars() {
  const t = useTexts()
  const isOffline = useIsOffline()
  const isReloadAsked = useIsReloadAsked()
  return (
    <div role="status">
      {isOffline && (
        <p className={styles.bar}>
          <Icon name="plug" />
          {t.shell.offline}
        </p>
      )}
      {isReloadAsked && (
        <p className={styles.bar}>
          <Icon name="refresh" />
          {t.shell.newVersion}
          <Button isSmall onClick={() => location.reload()}>
            {t.shell.reload}
          </Button>
        </p>
      )}
    </div>
  )
}

/** A page names its least role as `staticData: { role }`. */
function RoleGate({ children }: { children: React.ReactNode }) {
  const t = useTexts()
  const { session } = useSession()
  const least = useMatches({
    select: (matches) => matches.findLast(({ staticData }) => staticData.role !== undefined)?.staticData.role,
  })
  if (least === undefined || isAtLeast(session.administrator.role, least)) return children
  return (
    <Page title={t.states.noPermission}>
      <NoPermission />
    </Page>
  )
}

/** The language and the theme that the person chose elsewhere. */
function usePreferencesOf({ administrator: { id, locale, theme } }: Session): void {
  const { speak } = useLanguage()
  const isPerson = id !== null
  useEffect(() => {
    if (!isPerson) return
    if (locale !== null && locale !== document.documentElement.lang) speak(locale)
    applyTheme(theme)
    // a change in this window is made at once, and kept afterwards
  }, [isPerson, locale, theme, speak])
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    role?: Role
  }
}

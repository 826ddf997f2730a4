import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useOptionalSession } from '../calls/session.js'
import type { Language } from '../texts/features.js'
import { useLanguage, useTexts } from '../texts/language.js'
import { classNames } from '../ui/class-names.js'
import { admin } from '../calls/admin-client.js'
import styles from './preference-controls.module.css'
import { SESSION_KEY } from '../calls/query-client.js'
import { applyTheme, type Theme, useTheme } from './theme.js'

/** Language and theme. A person's choice is kept with the person, too. */
export function Preferences({ isAlways = false }: { isAlways?: boolean }) {
  const t = useTexts()
  const id = useId()
  const { language, speak } = useLanguage()
  const theme = useTheme()
  const queries = useQueryClient()
  const session = useOptionalSession()
  const keep = (change: { locale?: Language; theme?: Theme }) => {
    // it applies here also when it could not be kept
    if (session !== null && session.administrator.id !== null)
      void admin('PATCH /session', { body: change })
        .then((kept) => queries.setQueryData(SESSION_KEY, kept))
        .catch(() => undefined)
  }
  return (
    <div className={classNames(styles.preferences, isAlways && styles.always)}>
      <label className={styles.label} htmlFor={`${id}-language`}>
        {t.shell.language}
      </label>
      <select
        id={`${id}-language`}
        className={styles.select}
        value={language}
        onChange={(event) => {
          const next = event.target.value === 'ru' ? 'ru' : 'en'
          speak(next)
          keep({ locale: next })
        }}
      >
        <option value="en" lang="en">
          {'English'}
        </option>
        <option value="ru" lang="ru">
          {'Русский'}
        </option>
      </select>
      <label className={styles.label} htmlFor={`${id}-theme`}>
        {t.shell.theme.label}
      </label>
      <select
        id={`${id}-theme`}
        className={styles.select}
        value={theme}
        onChange={(event) => {
          const next = event.target.value as Theme
          applyTheme(next)
          keep({ theme: next })
        }}
      >
        <option value="auto">{t.shell.theme.auto}</option>
        <option value="light">{t.shell.theme.light}</option>
        <option value="dark">{t.shell.theme.dark}</option>
      </select>
    </div>
  )
}

import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Icon } from '../ui/icon.js'
import { Panel } from '../ui/panel.js'
import { VisuallyHidden } from '../ui/visually-hidden.js'
import type { FirstStep, Step } from './first-steps.js'
import styles from './first-steps-panel.module.css'

const PATHS: Record<Step, string> = {
  storage: '/storages',
  point: '/points',
  erp: '/settings/erp',
  list: '/price-lists',
  partner: '/settings/b2b',
}

export function FirstStepsPanel({ steps }: { steps: FirstStep[] }) {
  const { general, overview } = useTexts()
  const t = overview.first
  return (
    <Panel title={t.title}>
      <p className="muted">{t.lead}</p>
      <ol className={styles.steps}>
        {steps.map(({ step, isDone, isOptional = false }, at) => (
          <li key={step} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.number} aria-hidden="true">
              {isDone ? <Icon name="good" /> : at + 1}
            </span>
            <span>
              <AppLink path={PATHS[step]} className={styles.link}>
                {t[step]}
              </AppLink>
              {isOptional && !isDone && <span className="muted small">{` (${general.optional})`}</span>}
              {isDone && <VisuallyHidden>{`(${t.done})`}</VisuallyHidden>}
              <span className={styles.text}>{t[`${step}Text`]}</span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

import { useTexts } from '../texts/language.js'
import { Mark, type Tone } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import type { ServiceState } from './overview-answer.js'
import styles from './overview-page.module.css'

const TONES: Record<ServiceState['state'], Tone> = { up: 'good', slow: 'warning', away: 'danger' }

export function ServicesPanel({ services, version }: { services: ServiceState[]; version: string }) {
  const t = useTexts().overview
  return (
    <Panel title={t.services} actions={<span className="muted small">{t.version(version)}</span>}>
      <ul className="stack-tight">
        {services.map(({ name, state }) => (
          <li key={name} className="row-apart">
            <span className={styles.name}>{name}</span>
            <Mark tone={TONES[state]}>{t.serviceStates[state]}</Mark>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

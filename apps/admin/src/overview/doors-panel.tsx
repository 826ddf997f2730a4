import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { Time } from '../ui/time.js'
import type { Door, Overview } from './overview-answer.js'
import styles from './overview-page.module.css'

export function DoorsPanel({ doors }: { doors: Overview['doors'] }) {
  const t = useTexts().overview.doors
  return (
    <Panel title={t.title}>
      <div className="stack">
        <DoorLine name={t.erp} path="/settings/erp" door={doors.erp} />
        <DoorLine name={t.b2b} path="/settings/b2b" door={doors.b2b} />
      </div>
    </Panel>
  )
}

function DoorLine({ name, path, door }: { name: string; path: string; door: Door }) {
  const t = useTexts().overview.doors
  return (
    <div className="stack-tight">
      <p className="row-apart">
        <AppLink path={path} className={styles.name}>
          {name}
        </AppLink>
        {door.is_enabled ? (
          <Mark tone={door.is_ready ? 'good' : 'danger'}>{door.is_ready ? t.on : t.notReady}</Mark>
        ) : (
          <Mark tone="quiet">{t.off}</Mark>
        )}
      </p>
      <p className={styles.line}>
        <span>
          {door.last_call_at === null ? (
            t.never
          ) : (
            <>
              {t.lastCall} <Time at={door.last_call_at} />
            </>
          )}
        </span>
        {door.requests !== null && door.requests > 0 && (
          <span>
            {t.requests(door.requests)} {t.day}
          </span>
        )}
        {door.refused !== null && door.refused > 0 && <span>{t.refused(door.refused)}</span>}
        {door.failed !== null && door.failed > 0 && <span className={styles.bad}>{t.failed(door.failed)}</span>}
      </p>
    </div>
  )
}

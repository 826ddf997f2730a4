import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { Time } from '../ui/time.js'
import type { Api, Overview } from './overview-answer.js'
import styles from './overview-page.module.css'

export function ApisPanel({ apis }: { apis: Overview['apis'] }) {
  const t = useTexts().overview.apis
  return (
    <Panel title={t.title}>
      <div className="stack">
        <ApiLine name={t.erp} path="/settings/erp" api={apis.erp} />
        <ApiLine name={t.b2b} path="/settings/b2b" api={apis.b2b} />
      </div>
    </Panel>
  )
}

function ApiLine({ name, path, api }: { name: string; path: string; api: Api }) {
  const t = useTexts().overview.apis
  return (
    <div className="stack-tight">
      <p className="row-apart">
        <AppLink path={path} className={styles.name}>
          {name}
        </AppLink>
        {api.is_enabled ? (
          <Mark tone={api.is_ready ? 'good' : 'danger'}>{api.is_ready ? t.on : t.notReady}</Mark>
        ) : (
          <Mark tone="quiet">{t.off}</Mark>
        )}
      </p>
      <p className={styles.line}>
        <span>
          {api.last_call_at === null ? (
            t.never
          ) : (
            <>
              {t.lastCall} <Time at={api.last_call_at} />
            </>
          )}
        </span>
        {api.requests !== null && api.requests > 0 && (
          <span>
            {t.requests(api.requests)} {t.day}
          </span>
        )}
        {api.refused !== null && api.refused > 0 && <span>{t.refused(api.refused)}</span>}
        {api.failed !== null && api.failed > 0 && <span className={styles.bad}>{t.failed(api.failed)}</span>}
      </p>
    </div>
  )
}

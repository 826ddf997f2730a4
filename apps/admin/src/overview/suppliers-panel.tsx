import { useLanguage, useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { AppLink } from '../ui/app-link.js'
import { foreignLanguage } from '../ui/foreign-language.js'
import { Mark, type Tone } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { LongText, Table } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import type { Supplier } from './overview-answer.js'
import styles from './overview-page.module.css'

const TONES: Record<Supplier['state'], Tone> = {
  ok: 'good',
  slow: 'warning',
  failing: 'warning',
  'cut-off': 'danger',
  quiet: 'quiet',
}

/** More suppliers that were not asked are folded into one line. */
const QUIET_SHOWN = 3

export function SuppliersPanel({ suppliers }: { suppliers: Supplier[] }) {
  const t = useTexts()
  const { language } = useLanguage()
  const formats = useFormats()
  const words = t.overview.suppliers
  const quiet = suppliers.filter(({ state }) => state === 'quiet')
  const isFolded = quiet.length > QUIET_SHOWN
  const shown = isFolded ? suppliers.filter(({ state }) => state !== 'quiet') : suppliers
  return (
    <Panel title={words.title} isFlush actions={<span className="muted small">{words.lead}</span>}>
      {(shown.length > 0 || !isFolded) && (
        <Table
          caption={words.title}
          rows={shown}
          rowKey={({ storage_id }) => storage_id}
          empty={<p className={styles.nothing}>{words.none}</p>}
          columns={[
            {
              key: 'name',
              head: words.name,
              isName: true,
              cell: ({ storage_id, name }) => (
                <AppLink path="/storages/$id" params={{ id: storage_id }}>
                  {name}
                </AppLink>
              ),
            },
            {
              key: 'state',
              head: words.state,
              cell: ({ state, last_error }) => (
                <>
                  <Mark tone={TONES[state]}>{words.states[state]}</Mark>
                  {last_error !== null && state !== 'ok' && (
                    <span className={styles.reason} lang={foreignLanguage(last_error, language)}>
                      <LongText text={last_error} />
                    </span>
                  )}
                </>
              ),
            },
            {
              key: 'p95',
              head: words.p95,
              isNumber: true,
              cell: ({ p95_ms }) => (p95_ms === null ? t.general.none : formats.duration(p95_ms)),
            },
            {
              key: 'asked',
              head: words.answers,
              isNumber: true,
              isMinor: true,
              cell: ({ asked, failed }) => (
                <span title={failed > 0 ? words.failed(failed) : undefined}>
                  <Count value={asked} />
                </span>
              ),
            },
          ]}
        />
      )}
      {isFolded && (
        <details className={styles.quiet}>
          <summary>{words.quiet(quiet.length)}</summary>
          <p className={styles.line}>
            {quiet.map(({ storage_id, name }) => (
              <AppLink key={storage_id} path="/storages/$id" params={{ id: storage_id }}>
                {name}
              </AppLink>
            ))}
          </p>
        </details>
      )}
    </Panel>
  )
}

import { useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { AppLink } from '../ui/app-link.js'
import { Mark, type Tone } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { Table } from '../ui/table.js'
import { Time } from '../ui/time.js'
import type { Imports } from './overview-answer.js'
import styles from './overview-page.module.css'
import { useReferences } from '../calls/use-overview.js'

const TONES: Record<Imports['last'][number]['status'], Tone> = {
  pending: 'waiting',
  processing: 'running',
  completed: 'good',
  failed: 'danger',
}

export function ImportsPanel({ imports }: { imports: Imports }) {
  const t = useTexts()
  const words = t.overview.imports
  const lists = new Map(useReferences().data?.price_lists.map(({ id, name }) => [id, name]))
  const { day, pending, processing, oldest_pending_at: oldest } = imports
  return (
    <Panel title={words.title} isFlush actions={<AppLink path="/imports">{words.all}</AppLink>}>
      <p className={styles.figures}>
        <span className="muted">{words.day}</span>
        <AppLink path="/imports" search={{ status: ['completed'] }}>
          {words.completed(day.completed)}
        </AppLink>
        {day.failed > 0 && (
          <AppLink path="/imports" search={{ status: ['failed'] }}>
            {words.failed(day.failed)}
          </AppLink>
        )}
        <span>{words.rows(day.imported)}</span>
        {day.skipped > 0 && <span>{words.skipped(day.skipped)}</span>}
        {pending + processing > 0 && (
          <AppLink path="/imports" search={{ status: ['pending', 'processing'] }}>
            {words.queue(processing, pending)}
          </AppLink>
        )}
        {oldest !== null && (
          <span className="muted">
            {words.oldest} <Time at={oldest} />
          </span>
        )}
      </p>
      <Table
        caption={words.title}
        rows={imports.last}
        rowKey={({ id }) => id}
        empty={<p className={styles.nothing}>{words.none}</p>}
        columns={[
          {
            key: 'list',
            head: words.list,
            isName: true,
            cell: ({ id, price_list_id }) => (
              <AppLink path="/imports/$id" params={{ id }}>
                {lists.get(price_list_id) ?? words.number(id)}
              </AppLink>
            ),
          },
          {
            key: 'state',
            head: words.state,
            cell: ({ status }) => <Mark tone={TONES[status]}>{words.statuses[status]}</Mark>,
          },
          {
            key: 'rows',
            head: words.rowsHead,
            isNumber: true,
            cell: ({ imported_rows }) => <Count value={imported_rows} />,
          },
          {
            key: 'skipped',
            head: words.skippedHead,
            isNumber: true,
            isMinor: true,
            cell: ({ skipped_rows }) => <Count value={skipped_rows} />,
          },
          {
            key: 'time',
            head: words.time,
            isNumber: true,
            cell: ({ completed_at, started_at }) =>
              completed_at !== null || started_at !== null ? (
                <Time at={completed_at ?? started_at ?? ''} />
              ) : (
                t.general.none
              ),
          },
        ]}
      />
    </Panel>
  )
}

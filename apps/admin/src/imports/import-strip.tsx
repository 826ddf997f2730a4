import { Link } from '@tanstack/react-router'
import { useSession } from '../calls/session.js'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { dayRange } from '../ui/day-range.js'
import { Meter } from '../ui/meter.js'
import { Panel } from '../ui/panel.js'
import { useNow } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import { lastDays, sumByDay } from './import-days.js'
import styles from './import-strip.module.css'

const DAYS = 14
const EVERY_MS = 60_000

/** What was imported on each of the last days; a day leads to its imports. */
export function ImportStrip({ listId }: { listId: number | undefined }) {
  const t = useTexts()
  const formats = useFormats()
  const zone = useSession().session.administrator.time_zone ?? undefined
  const days = lastDays(DAYS, useNow(EVERY_MS), zone)
  const { from } = dayRange(days[0], undefined, zone)
  const hours = useCall('GET /statistics/imports', {
    query: { step: 'hour', from, ...(listId !== undefined && { price_list_id: listId }) },
    everyMs: EVERY_MS,
  })
  // the table below shows why nothing can be read
  if (hours.data === undefined) return null
  const sums = sumByDay(days, hours.data, zone)
  const most = Math.max(...sums.map(({ rows }) => rows))
  const words = t.imports.days
  return (
    <Panel title={words.title}>
      <ol className={styles.strip}>
        {sums.map(({ day, completed, failed, rows }) => {
          const name = formats.shortDay(day)
          return (
            <li key={day} className={styles.day}>
              <Link to="/imports" search={{ from: day, to: day, price_list_id: listId }}>
                {name}
              </Link>
              <Meter label={words.rowsOf(name)} value={rows} max={most} tone={toneOf(completed, failed)} />
              <span className="number">{t.general.rows(rows)}</span>
              <span className="number">{words.completed(completed)}</span>
              {failed > 0 && <span className={styles.failed}>{words.failed(failed)}</span>}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** A day is red where nothing succeeded. */
const toneOf = (completed: number, failed: number) => (failed === 0 ? 'accent' : completed === 0 ? 'danger' : 'warning')

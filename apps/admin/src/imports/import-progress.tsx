import { useTexts } from '../texts/language.js'
import { Mark } from '../ui/mark.js'
import { Progress } from '../ui/meter.js'
import { Panel } from '../ui/panel.js'
import { useFormats } from '../ui/use-formats.js'
import type { LiveState, Task } from './import-calls.js'

/** How far a running import is. */
export function ImportProgress({ task, live }: { task: Task; live: LiveState }) {
  const t = useTexts()
  const formats = useFormats()
  const { status, queue_position, total_rows, processed_rows, rows_per_second } = task
  if (status === 'pending') {
    return (
      <Panel>
        <p>{queue_position === null ? t.imports.one.waits : t.imports.one.queue(queue_position)}</p>
        <HowLive live={live} />
      </Panel>
    )
  }
  const isCounted = total_rows > 0
  const parts = isCounted
    ? [
        formats.percent(processed_rows / total_rows),
        t.imports.one.done(formats.number(processed_rows), formats.number(total_rows)),
        ...(rows_per_second === null ? [] : [t.imports.one.speed(formats.number(rows_per_second))]),
        ...(rows_per_second === null || rows_per_second === 0
          ? []
          : [t.imports.one.left(formats.duration(((total_rows - processed_rows) / rows_per_second) * 1_000))]),
      ]
    : [t.imports.one.counting]
  return (
    <Panel>
      <div className="stack-tight">
        <Progress
          label={t.imports.one.progress}
          value={isCounted ? processed_rows : undefined}
          max={isCounted ? total_rows : 1}
        />
        <p className="number">{parts.join(' · ')}</p>
        <HowLive live={live} />
      </div>
    </Panel>
  )
}

/** Why the figures stand still, or are read less often. */
function HowLive({ live }: { live: LiveState }) {
  const words = useTexts().imports.one
  return (
    <div role="status">
      {live === 'reconnecting' && <Mark tone="waiting">{words.reconnecting}</Mark>}
      {live === 'waiting' && <Mark tone="waiting">{words.stalled}</Mark>}
      {live === 'polling' && <span className="muted small">{words.limited}</span>}
    </div>
  )
}

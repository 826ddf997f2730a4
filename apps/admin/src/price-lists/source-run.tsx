import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callKey, useCall, useSend } from '../calls/use-call.js'
import { ServerText } from '../ui/server-text.js'
import type { Task } from '../imports/import-calls.js'
import { isFinal, isGone, pollImportEvery } from '../imports/poll-import.js'
import { TaskState } from '../imports/task-state.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Mark, type Tone } from '../ui/mark.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Time } from '../ui/time.js'
import { staleLists } from './price-list-calls.js'
import type { Source } from './source-draft.js'

type LastRun = NonNullable<Source['last_run']>

const TONES: Record<LastRun['outcome'], Tone> = { imported: 'good', unchanged: 'quiet', failed: 'danger' }

interface SourceRunProps {
  listId: number
  sourceId: number
  /** of the source */
  title: string
  lastRun: Source['last_run']
  /** The form differs from what would run. */
  isChanged: boolean
  mayRun: boolean
}

/** The outcome of the last run, and a button for another one. */
export function SourceRun({ listId, sourceId, title, lastRun, isChanged, mayRun }: SourceRunProps) {
  const t = useTexts()
  const words = t.sources
  const run = useSend('POST /price-lists/:id/sources/:source_id/run', {
    stale: [...staleLists, 'GET /import-tasks'],
  })
  return (
    <div className="stack-tight">
      <h3>{words.lastRun.title}</h3>
      {lastRun === null ? <p className="muted">{words.lastRun.never}</p> : <Outcome run={lastRun} />}
      {mayRun && (
        <div className="row">
          <Button
            isSmall
            isWrite
            icon="refresh"
            isBusy={run.isPending}
            disabled={isChanged}
            aria-label={`${words.run.act}: ${title}`}
            onClick={() => run.mutate({ params: { id: listId, source_id: sourceId } })}
          >
            {words.run.act}
          </Button>
          {isChanged && <span className="muted small">{words.run.saveFirst}</span>}
        </div>
      )}
      <div role="status">
        {run.data &&
          (run.data.task_id === null ? (
            <p>
              <ServerText text={run.data.message} />
            </p>
          ) : (
            <p>{words.run.started(run.data.task_id)}</p>
          ))}
      </div>
      {run.error !== null && <RefusalNotice error={run.error} />}
    </div>
  )
}

/** How the last run ended: where it started an import, how that ended. */
function Outcome({ run: { at, outcome, message, task_id } }: { run: LastRun }) {
  const t = useTexts()
  const task = useStartedImport(task_id)
  const hasEnded = task !== undefined && isFinal(task)
  return (
    <>
      <p className="row">
        {task ? <TaskState task={task} /> : <Mark tone={TONES[outcome]}>{t.sources.lastRun.outcomes[outcome]}</Mark>}
        <Time at={at} />
        {task_id !== null && (
          <Link to="/imports/$id" params={{ id: String(task_id) }}>
            {t.sources.lastRun.task(task_id)}
          </Link>
        )}
      </p>
      {hasEnded ? (
        <p className="muted small">{t.sources.lastRun.imported(task.file_name, task.imported_rows)}</p>
      ) : (
        <p className="muted small">
          <ServerText text={message} />
        </p>
      )}
      {task?.status === 'failed' && task.error_message !== null && (
        <p>
          <ServerText text={task.error_message} />
        </p>
      )}
    </>
  )
}

/** The import that a run started; undefined where it started none, and when it is no longer kept. */
function useStartedImport(id: number | null): Task | undefined {
  const params = { id: id ?? 0 }
  const everyMs = pollImportEvery(useQueryClient().getQueryState<Task>(callKey('GET /import-tasks/:id', params)))
  const { data, error } = useCall('GET /import-tasks/:id', { params, everyMs, isEnabled: id !== null })
  // what is shown until the answer is there may be the import before
  return data?.id === id && !isGone(error) ? data : undefined
}

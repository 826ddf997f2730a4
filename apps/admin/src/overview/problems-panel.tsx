import { admin } from '../calls/admin-client.js'
import { useWrite } from '../calls/use-call.js'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { AppLink } from '../ui/app-link.js'
import { Button, buttonClass } from '../ui/button.js'
import { Mark } from '../ui/mark.js'
import { RefusalNotice } from '../ui/refusal.js'
import { ServerText } from '../ui/server-text.js'
import { Time } from '../ui/time.js'
import { toast } from '../ui/toast.js'
import { IncludeInSearch } from '../price-lists/not-in-search.js'
import type { Problem } from './overview-answer.js'
import { listsOf, problemTarget, wordProblem } from './problem-target.js'
import styles from './problems-panel.module.css'

/** Problems whose words say how many there are. */
const COUNTED = ['pictures-failing', 'not-in-search']

/** The problems, worst first; one green line if there are none. */
export function ProblemsPanel({ problems, at }: { problems: Problem[]; at: string }) {
  const t = useTexts()
  if (problems.length === 0) {
    return (
      <p className={styles.well}>
        <Mark tone="good">
          <strong>{t.overview.allWell}</strong>
        </Mark>
        <span>
          {t.overview.checked} <Time at={at} />
        </span>
      </p>
    )
  }
  return (
    <section className={styles.panel} data-severity={problems[0]?.severity} aria-labelledby="problems">
      <h2 id="problems" className={styles.title}>
        {t.overview.problems(problems.length)}
      </h2>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.code} ${JSON.stringify(problem.params)}`} className={styles.problem}>
            <ProblemLine problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProblemLine({ problem }: { problem: Problem }) {
  const t = useTexts()
  const { severity, since, params, count, code } = problem
  const target = problemTarget(problem)
  const message = typeof params.message === 'string' ? params.message : undefined
  return (
    <>
      <div className={styles.words}>
        <Mark tone={severity === 'error' ? 'danger' : 'warning'}>
          <strong>{wordProblem(problem, t.overview.problem)}</strong>
        </Mark>
        <span className={styles.details}>
          {since !== null && <Time at={since} />}
          {count > 1 && !COUNTED.includes(code) && <span>{t.overview.times(count)}</span>}
          {message !== undefined && <ServerText text={message} />}
        </span>
      </div>
      <div className="row">
        {code === 'not-in-search' && (
          <IncludeInSearch storageIds={[...new Set(listsOf(params).map(({ storage_id }) => storage_id))]} />
        )}
        {code === 'source-failing' && (
          <RunSource listId={Number(params.price_list_id)} sourceId={Number(params.source_id)} />
        )}
        {target && (
          <AppLink {...target} className={buttonClass('secondary', true)} isButton>
            {t.general.open}
          </AppLink>
        )}
      </div>
    </>
  )
}

function RunSource({ listId, sourceId }: { listId: number; sourceId: number }) {
  const t = useTexts()
  const mayRun = useMay('manager')
  const run = useWrite(
    () => admin('POST /price-lists/:id/sources/:source_id/run', { params: { id: listId, source_id: sourceId } }),
    { stale: ['GET /overview'], onDone: () => toast(t.overview.running) },
  )
  if (!mayRun) return null
  return (
    <>
      {run.error && <RefusalNotice error={run.error} />}
      <Button isSmall isWrite isBusy={run.isPending} onClick={() => run.mutate(undefined)}>
        {t.overview.runNow}
      </Button>
    </>
  )
}

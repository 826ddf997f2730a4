import { useDeferredValue } from 'react'
import { useSession } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Page } from '../ui/page.js'
import { Panel } from '../ui/panel.js'
import { Loaded, Skeleton } from '../ui/state.js'
import { CatalogPanel } from './catalog-panel.js'
import { ApisPanel } from './apis-panel.js'
import { firstSteps } from './first-steps.js'
import { FirstStepsPanel } from './first-steps-panel.js'
import { ImportsPanel } from './imports-panel.js'
import type { Overview } from './overview-answer.js'
import styles from './overview-page.module.css'
import { ProblemsPanel } from './problems-panel.js'
import { ServicesPanel } from './services-panel.js'
import { SuppliersPanel } from './suppliers-panel.js'
import { useOverview, useReferences } from '../calls/use-overview.js'

const EVERY_MS = 10_000

/** Was the night all right? */
export function OverviewPage() {
  const t = useTexts()
  const overview = useOverview(EVERY_MS)
  return (
    <Page title={t.shell.pages.overview}>
      <Loaded from={overview} skeleton={<Skeleton lines={18} />}>
        {(answer) => <Deferred overview={answer} />}
      </Loaded>
    </Page>
  )
}

/** Renders the panels in slices: all of them at once would block a slow phone. */
function Deferred({ overview }: { overview: Overview }) {
  const shown = useDeferredValue<Overview | null>(overview, null)
  return shown === null ? (
    <div aria-busy="true">
      <Skeleton lines={18} />
    </div>
  ) : (
    <Parts overview={shown} />
  )
}

function Parts({ overview }: { overview: Overview }) {
  const t = useTexts().overview
  const { problems, at, imports, suppliers, apis, catalog, stock, services, version } = overview
  const { session } = useSession()
  const steps = firstSteps(overview, useReferences().data, session.administrator.role)
  const isNew = steps.some(({ isDone, isOptional = false }) => !isDone && !isOptional)
  return (
    <>
      <ProblemsPanel problems={problems} at={at} />
      {isNew && <FirstStepsPanel steps={steps} />}
      <div className={styles.columns}>
        <div className="stack">
          {imports === null ? <Away title={t.imports.title} /> : <ImportsPanel imports={imports} />}
          {suppliers === null ? <Away title={t.suppliers.title} /> : <SuppliersPanel suppliers={suppliers} />}
        </div>
        <div className="stack">
          <ApisPanel apis={apis} />
          <CatalogPanel catalog={catalog} stock={stock} />
          <ServicesPanel services={services} version={version} />
        </div>
      </div>
    </>
  )
}

/** A part whose service did not answer: the others stay. */
function Away({ title }: { title: string }) {
  const t = useTexts().overview
  return (
    <Panel title={title}>
      <p className="muted">{t.away}</p>
    </Panel>
  )
}

import { useCall } from '../shell/use-call.js'
import { useTexts } from '../texts/language.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { Panel } from '../ui/panel.js'
import { Loaded, Skeleton } from '../ui/state.js'
import type { Overview } from './overview-answer.js'

const EVERY_MS = 10_000

export function OverviewPage() {
  const t = useTexts()
  const overview = useCall<Overview>('GET /overview', { everyMs: EVERY_MS })
  return (
    <Page title={t.shell.pages.overview}>
      <Loaded from={overview} skeleton={<Skeleton lines={12} />}>
        {({ services }) => (
          <Panel>
            <div className="row">
              {services.map(({ name, state }) => (
                <Mark key={name} tone={state === 'up' ? 'good' : state === 'slow' ? 'warning' : 'danger'}>
                  {name}
                </Mark>
              ))}
            </div>
          </Panel>
        )}
      </Loaded>
    </Page>
  )
}

import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { EditForm } from '../ui/edit-form.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { Panel } from '../ui/panel.js'
import { Loaded } from '../ui/state.js'
import { Tabs } from '../ui/tabs.js'
import { toast } from '../ui/toast.js'
import { TokenDialog } from '../ui/token-dialog.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { type Api, type Settings, saveSettings, staleSettings } from './set-up-calls.js'
import { settingLabels } from './setting-labels.js'
import { missingOf, readSettings, toSettingsDraft } from './settings-draft.js'
import { ErpFields, FileFields, GeneralFields, PartnerFields } from './settings-fields.js'
import { TokenPanel } from './token-panel.js'

const TABS = ['erp', 'b2b', 'files', 'general'] as const
type Tab = (typeof TABS)[number]

export function SettingsPage() {
  const t = useTexts()
  const tab = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  const settings = useRevision('GET /settings', {})
  const open = TABS.find((name) => name === tab) ?? 'erp'
  return (
    <Page title={t.shell.pages.settings}>
      <Tabs
        label={t.setUp.settings.tabs.label}
        tabs={TABS.map((name) => ({
          link: { to: `/settings/${name}` },
          text: t.setUp.settings.tabs[name],
        }))}
      />
      <Loaded from={settings}>
        {({ answer, etag }) => (
          <>
            {answer.maintenance !== null && <Mark tone="danger">{t.setUp.settings.inMaintenance}</Mark>}
            {(open === 'erp' || open === 'b2b') && (
              <>
                <Readiness api={open} settings={answer} />
                <TokenPanel api={open} stamp={open === 'erp' ? answer.erp_token : answer.b2b_token} revision={etag} />
              </>
            )}
            <SettingsForm key={open} tab={open} settings={answer} revision={etag} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Whether an API has what it needs, and what is missing. */
function Readiness({ api, settings }: { api: Api; settings: Settings }) {
  const t = useTexts()
  const words = t.setUp.settings
  const missing = missingOf(api, settings)
  if (missing.length === 0) return <Mark tone="good">{words.ready}</Mark>
  const isOn = api === 'erp' ? settings.erp_enabled : settings.b2b_enabled
  return (
    <Mark tone={isOn ? 'danger' : 'quiet'}>
      {words.notReady(missing.map((part) => t.overview.problem.missing[part]).join(', '))}
    </Mark>
  )
}

interface SettingsFormProps {
  tab: Tab
  settings: Settings
  revision: string | null
}

function SettingsForm({ tab, settings, revision }: SettingsFormProps) {
  const t = useTexts()
  const mayChange = useMay('owner')
  const [token, setToken] = useState<string>()
  const { edit, fields } = useResourceForm({
    path: 'PATCH /settings',
    resource: settings,
    revision,
    toDraft: toSettingsDraft,
    read: readSettings,
    labels: settingLabels(t.setUp.settings),
    mayChange,
    stale: staleSettings,
    send: (change) => saveSettings(change, setToken),
    onSaved: () => toast(t.setUp.saved),
  })
  return (
    <Panel>
      <EditForm {...edit}>
        {tab === 'erp' && <ErpFields {...fields} />}
        {tab === 'b2b' && <PartnerFields {...fields} />}
        {tab === 'files' && <FileFields {...fields} />}
        {tab === 'general' && <GeneralFields {...fields} />}
      </EditForm>
      {token !== undefined && (
        <TokenDialog
          title={t.setUp.settings.newToken}
          token={token}
          fileName="partsbus-b2b-token.txt"
          onKept={() => setToken(undefined)}
        />
      )}
    </Panel>
  )
}

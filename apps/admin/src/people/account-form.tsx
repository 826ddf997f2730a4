import type { Session } from '@partsbus/contracts/gateway/administrator'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/language.js'
import { EditForm } from '../ui/edit-form.js'
import { Field } from '../ui/field.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { staleAccount, useTakeSession } from './account-calls.js'
import { type AccountDraft, readAccount, toAccountDraft, zoneChoices } from './account-draft.js'

const ZONES = Intl.supportedValuesOf('timeZone')
const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const THEMES = ['auto', 'light', 'dark'] as const

/** The name that others see, and how these pages look to this person. */
export function AccountForm({ session }: { session: Session }) {
  const t = useTexts()
  const words = t.people.account
  const takeSession = useTakeSession()
  const labels = {
    display_name: words.displayName,
    locale: t.shell.language,
    time_zone: words.zone,
    theme: t.shell.theme.label,
  }
  const { form, edit, fields } = useResourceForm({
    path: 'PATCH /session',
    resource: session,
    toDraft: toAccountDraft,
    read: readAccount,
    labels,
    stale: staleAccount,
    onSaved: (saved) => {
      takeSession(saved)
      toast(t.general.saved)
    },
  })
  const { draft, changed } = form
  const choice = (name: 'locale' | 'time_zone' | 'theme', options: ReactNode) => (
    <Field label={labels[name]} path={name} isChanged={changed.includes(name)}>
      {(control) => (
        <select
          {...control}
          value={draft[name]}
          onChange={(event) => form.change({ [name]: event.target.value } as Partial<AccountDraft>)}
        >
          {options}
        </select>
      )}
    </Field>
  )
  return (
    <EditForm {...edit}>
      <p className="row small muted">
        {words.signInName} <strong>{session.administrator.name}</strong> {t.shell.roles[session.administrator.role]}
      </p>
      <TextFields
        {...fields}
        names={['display_name']}
        hints={{ display_name: words.displayNameHint }}
        isRequired={['display_name']}
      />
      <div className="fields">
        {choice(
          'locale',
          <>
            <option value="en" lang="en">
              {'English'}
            </option>
            <option value="ru" lang="ru">
              {'Русский'}
            </option>
          </>,
        )}
        {choice(
          'theme',
          THEMES.map((theme) => (
            <option key={theme} value={theme}>
              {t.shell.theme[theme]}
            </option>
          )),
        )}
      </div>
      {choice(
        'time_zone',
        <>
          <option value="">{words.browserZone(BROWSER_ZONE)}</option>
          {zoneChoices(ZONES, form.base.time_zone).map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </>,
      )}
    </EditForm>
  )
}

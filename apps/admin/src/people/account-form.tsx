import type { Session } from '@partsbus/contracts/administration/administrator'
import { useTexts } from '../texts/language.js'
import { EditForm } from '../ui/edit-form.js'
import { OptionField } from '../ui/field.js'
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
  const choice = <Name extends 'locale' | 'time_zone' | 'theme'>(
    name: Name,
    options: { value: AccountDraft[Name]; label: string; lang?: string }[],
  ) => (
    <OptionField<AccountDraft[Name]>
      label={labels[name]}
      path={name}
      isChanged={changed.includes(name)}
      value={draft[name]}
      options={options}
      onChange={(value) => form.change({ [name]: value } as unknown as Partial<AccountDraft>)}
    />
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
        {choice('locale', [
          { value: 'en', label: 'English', lang: 'en' },
          { value: 'ru', label: 'Русский', lang: 'ru' },
        ])}
        {choice(
          'theme',
          THEMES.map((value) => ({ value, label: t.shell.theme[value] })),
        )}
      </div>
      {choice('time_zone', [
        { value: '', label: words.browserZone(BROWSER_ZONE) },
        ...zoneChoices(ZONES, form.base.time_zone).map((zone) => ({ value: zone, label: zone })),
      ])}
    </EditForm>
  )
}

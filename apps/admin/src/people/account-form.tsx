import type { Session } from '@partsbus/contracts/gateway/administrator'
import { type ReactNode, useMemo } from 'react'
import { useTexts } from '../texts/language.js'
import { EditForm } from '../ui/edit-form.js'
import { Field } from '../ui/field.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useDraft } from '../ui/use-draft.js'
import { useSaveAccount } from './account-calls.js'
import { type AccountDraft, readAccount, toAccountDraft, zoneChoices } from './account-draft.js'

const ZONES = Intl.supportedValuesOf('timeZone')
const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const THEMES = ['auto', 'light', 'dark'] as const

/** The name that others see, and how these pages look to this person. */
export function AccountForm({ account }: { account: Session['administrator'] }) {
  const t = useTexts()
  const words = t.people.account
  const stored = useMemo(() => toAccountDraft(account), [account])
  const form = useDraft(stored)
  const save = useSaveAccount()
  const submit = () =>
    save.mutate(readAccount(form.draft, form.base), {
      onSuccess: ({ administrator }) => {
        form.saved(toAccountDraft(administrator), null)
        toast(t.general.saved)
      },
    })
  const labels = {
    display_name: words.displayName,
    locale: t.shell.language,
    time_zone: words.zone,
    theme: t.shell.theme.label,
  }
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
    <EditForm
      form={form}
      labels={labels}
      error={save.error}
      check={{ path: 'PATCH /session', body: readAccount(draft, form.base) }}
      isBusy={save.isPending}
      isReady
      onSave={submit}
    >
      <p className="row small muted">
        {words.signInName} <strong>{account.name}</strong> {t.shell.roles[account.role]}
      </p>
      <TextFields
        names={['display_name']}
        draft={{ display_name: draft.display_name }}
        labels={labels}
        hints={{ display_name: words.displayNameHint }}
        changed={changed}
        isDisabled={false}
        isRequired={['display_name']}
        onChange={form.change}
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

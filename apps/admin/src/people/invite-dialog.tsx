import { type FormEvent, useState } from 'react'
import { useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { RefusalNotice } from '../ui/refusal.js'
import { TextFields } from '../ui/text-fields.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { type Invited, stalePeople } from './people-calls.js'
import type { PersonDraft } from './person-draft.js'
import { RoleField } from './role-field.js'

interface InviteDialogProps {
  onInvited: (invitation: Invited) => void
  onClose: () => void
}

/** A new person: the answer holds the link by which the person sets a password. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const t = useTexts()
  const words = t.people.administrators
  const [draft, setDraft] = useState({ name: '', display_name: '' })
  const [role, setRole] = useState<PersonDraft['role']>('manager')
  const invite = useSend('POST /administrators', { stale: stalePeople })
  const labels = { name: words.name, display_name: words.displayName, role: words.role }
  const display_name = draft.display_name.trim()
  const body = { name: draft.name.trim(), role, ...(display_name !== '' && { display_name }) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { body },
      {
        onSuccess: ({ name, invitation }) => {
          // the answer would keep the token after its dialog is gone
          invite.reset()
          onInvited({ name, ...invitation })
        },
      },
    )
  }
  return (
    <Dialog title={words.invite} onClose={onClose}>
      <ViolationsProvider error={invite.error} check={{ path: 'POST /administrators', body }}>
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary labels={labels} />
          {invite.error !== null && <RefusalNotice error={invite.error} />}
          <TextFields
            names={['name', 'display_name']}
            draft={draft}
            labels={labels}
            hints={{ name: words.nameHint, display_name: words.displayNameHint }}
            changed={[]}
            isDisabled={false}
            isRequired={['name']}
            onChange={(part) => setDraft({ ...draft, ...part })}
          />
          <RoleField role={role} onChange={setRole} />
          <div className="actions">
            <Button onClick={onClose}>{t.general.cancel}</Button>
            <Button type="submit" kind="primary" isWrite isBusy={invite.isPending} disabled={draft.name.trim() === ''}>
              {words.inviteAct}
            </Button>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}

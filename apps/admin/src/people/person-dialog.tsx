import { useState } from 'react'
import { DeleteButton } from '../set-up/delete-button.js'
import { useDelete, useRevision, useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Dialog } from '../ui/dialog.js'
import { readChanges } from '../ui/draft-fields.js'
import { EditForm } from '../ui/edit-form.js'
import { Check } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Loaded } from '../ui/state.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { type Invited, type Person, stalePeople } from './people-calls.js'
import { toPersonDraft } from './person-draft.js'
import { RoleField } from './role-field.js'

interface PersonDialogProps {
  id: number
  onInvited: (invitation: Invited) => void
  onClose: () => void
}

/** One person: name, role, and actions for a lost password or device. */
export function PersonDialog({ id, onInvited, onClose }: PersonDialogProps) {
  const words = useTexts().people.administrators
  const person = useRevision('GET /administrators/:id', { params: { id } })
  const name = person.data?.answer.name ?? ''
  return (
    <Dialog title={words.edit(name)} onClose={onClose}>
      <Loaded from={person} gone={{ what: words.gone(id), link: undefined }}>
        {({ answer, etag }) => (
          <div className="stack">
            <PersonForm person={answer} revision={etag} onClose={onClose} />
            <PersonActs person={answer} revision={etag} onInvited={onInvited} onClose={onClose} />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function PersonForm({ person, revision, onClose }: { person: Person; revision: string | null; onClose: () => void }) {
  const t = useTexts()
  const words = t.people.administrators
  const labels = { display_name: words.displayName, role: words.role, is_active: words.active }
  const { form, edit, fields } = useResourceForm({
    path: 'PATCH /administrators/:id',
    params: { id: person.id },
    resource: person,
    revision,
    toDraft: toPersonDraft,
    read: (draft, base) => readChanges(draft, base, {}),
    labels,
    isLeft: true,
    stale: stalePeople,
    onSaved: onClose,
  })
  const { draft, changed } = form
  return (
    <EditForm {...edit} onCancel={onClose}>
      <TextFields {...fields} names={['display_name']} isRequired={['display_name']} />
      <RoleField role={draft.role} isChanged={changed.includes('role')} onChange={(role) => form.change({ role })} />
      <Check
        isSwitch
        label={words.active}
        hint={words.activeHint}
        isOn={draft.is_active}
        onChange={(is_active) => form.change({ is_active })}
      />
    </EditForm>
  )
}

interface PersonActsProps {
  person: Person
  revision: string | null
  onInvited: (invitation: Invited) => void
  onClose: () => void
}

function PersonActs({ person, revision, onInvited, onClose }: PersonActsProps) {
  const { id, name, is_active, sessions } = person
  const t = useTexts()
  const words = t.people.administrators
  const [isSigningOut, setIsSigningOut] = useState(false)
  const invite = useSend('POST /administrators/:id/invitation')
  const signOut = useSend('DELETE /administrators/:id/sessions', {
    stale: stalePeople,
    onDone: () => {
      toast(words.signedOut(name))
      setIsSigningOut(false)
    },
  })
  const remove = useDelete('DELETE /administrators/:id', { stale: stalePeople, onDone: onClose })
  const start = () =>
    invite.mutate(
      { params: { id } },
      {
        onSuccess: (invitation) => {
          // the answer would keep the token after its dialog is gone
          invite.reset()
          onInvited({ name, ...invitation })
        },
      },
    )
  return (
    <div className="stack-tight">
      {invite.error !== null && <RefusalNotice error={invite.error} />}
      <div className="row">
        {is_active && (
          <Button isWrite icon="key" isBusy={invite.isPending} onClick={start}>
            {words.inviteAgain}
          </Button>
        )}
        {sessions > 0 && (
          <Button isWrite onClick={() => setIsSigningOut(true)}>
            {words.signOut}
          </Button>
        )}
        <DeleteButton id={id} revision={revision} name={name} text={words.deleteText(sessions)} remove={remove} />
      </div>
      {is_active && <p className="muted small">{words.inviteAgainText}</p>}
      {isSigningOut && (
        <Confirm
          title={words.signOutTitle(name)}
          act={words.signOut}
          isBusy={signOut.isPending}
          error={signOut.error}
          onConfirm={() => signOut.mutate({ params: { id } })}
          onClose={() => setIsSigningOut(false)}
        >
          <p>{words.signOutText(sessions)}</p>
        </Confirm>
      )}
    </div>
  )
}

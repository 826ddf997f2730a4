import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { base } from '../browser/page-address.js'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { Button } from '../ui/button.js'
import { Mark, type Tone } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded } from '../ui/state.js'
import { type Column } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { TokenDialog } from '../ui/token-dialog.js'
import { invitationLink } from '../session/invitation-link.js'
import { useFormats } from '../ui/use-formats.js'
import { VisuallyHidden } from '../ui/visually-hidden.js'
import { InviteDialog } from './invite-dialog.js'
import { type Invited, PER_PAGE, type Person } from './people-calls.js'
import { PersonDialog } from './person-dialog.js'
import { type PersonState, personState } from './person-draft.js'

const TONES: Record<PersonState, Tone> = { active: 'good', invited: 'waiting', off: 'quiet' }

export function AdministratorsPage() {
  const t = useTexts()
  const words = t.people.administrators
  const { page } = useSearch({ from: '/frame/administrators' })
  const navigate = useNavigate({ from: '/administrators' })
  const [isInviting, setIsInviting] = useState(false)
  const [editedId, setEditedId] = useState<number>()
  const [invited, setInvited] = useState<Invited>()
  const people = useCall('GET /administrators', { query: { page, per_page: PER_PAGE } })
  const columns = useColumns(setEditedId)
  const invite = (
    <Button kind="primary" icon="add" onClick={() => setIsInviting(true)}>
      {words.invite}
    </Button>
  )
  const show = (invitation: Invited) => {
    setIsInviting(false)
    setEditedId(undefined)
    setInvited(invitation)
  }
  return (
    <Page title={t.shell.pages.administrators} actions={invite}>
      <Loaded from={people}>
        {({ data, total }) => (
          <PagedTable
            caption={t.shell.pages.administrators}
            rows={data}
            rowKey={({ id }) => id}
            isStale={people.isPlaceholderData}
            empty={<Empty icon="people" title={words.empty} action={invite} />}
            columns={columns}
            page={page}
            perPage={PER_PAGE}
            total={total}
            onPage={(next) => void navigate({ search: { page: next } })}
          />
        )}
      </Loaded>
      {isInviting && <InviteDialog onInvited={show} onClose={() => setIsInviting(false)} />}
      {editedId !== undefined && (
        <PersonDialog key={editedId} id={editedId} onInvited={show} onClose={() => setEditedId(undefined)} />
      )}
      {invited !== undefined && <Invitation invited={invited} onKept={() => setInvited(undefined)} />}
    </Page>
  )
}

function Invitation({ invited, onKept }: { invited: Invited; onKept: () => void }) {
  const t = useTexts()
  const formats = useFormats()
  return (
    <TokenDialog
      title={t.people.administrators.link(invited.name)}
      text={t.people.administrators.linkText(formats.dateTime(new Date(invited.expires_at)))}
      token={invitationLink(location.origin, base, invited)}
      fileName={`partsbus-invitation-${invited.name}.txt`}
      onKept={onKept}
    />
  )
}

function useColumns(edit: (id: number) => void): Column<Person>[] {
  const t = useTexts()
  const words = t.people.administrators
  return [
    { key: 'name', head: words.name, isName: true, cell: ({ name }) => name },
    { key: 'display_name', head: words.displayName, cell: ({ display_name }) => display_name },
    { key: 'role', head: words.role, cell: ({ role }) => t.shell.roles[role] },
    {
      key: 'state',
      head: words.state,
      cell: (person) => <Mark tone={TONES[personState(person)]}>{words.states[personState(person)]}</Mark>,
    },
    {
      key: 'seen',
      head: words.seen,
      cell: ({ last_seen_at }) => (last_seen_at === null ? words.never : <Time at={last_seen_at} />),
    },
    {
      key: 'sessions',
      head: words.sessions,
      isNumber: true,
      isMinor: true,
      cell: ({ sessions }) => <Count value={sessions} />,
    },
    {
      key: 'change',
      head: <VisuallyHidden>{t.general.change}</VisuallyHidden>,
      cell: ({ id, name }) => (
        <Button isSmall kind="quiet" aria-label={words.edit(name)} onClick={() => edit(id)}>
          {t.general.change}
        </Button>
      ),
    },
  ]
}

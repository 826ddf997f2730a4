import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { buttonClass } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded } from '../ui/state.js'
import { type Column, cutName } from '../ui/table.js'
import { PER_PAGE } from './set-up-calls.js'

export const LOCATIONS = {
  storages: { role: 'owner', part: 'storages', list: '/storages', to: '/storages/$id' },
  points: { role: 'manager', part: 'pick-up-points', list: '/points', to: '/points/$id' },
} as const

interface LocationListProps<Row> {
  kind: keyof typeof LOCATIONS
  locations: UseQueryResult<{ data: Row[]; total: number }>
  /** between the name and the state */
  columns: Column<Row>[]
  page: number
  onPage: (page: number) => void
}

/** The list of storages or of pick-up points: each with its own page, where it is changed. */
export function LocationList<Row extends { id: number; name: string; is_active: boolean }>({
  kind,
  locations,
  columns,
  page,
  onPage,
}: LocationListProps<Row>) {
  const t = useTexts()
  const words = t.setUp[kind]
  const { role, part, to } = LOCATIONS[kind]
  const create = useMay(role) && (
    <Link to={to} params={{ id: 'new' }} className={buttonClass('primary')}>
      <Icon name="add" />
      {words.new}
    </Link>
  )
  const link = ({ id, name }: Row) => (
    <Link to={to} params={{ id: String(id) }}>
      {cutName(name)}
    </Link>
  )
  const state = ({ is_active }: Row) => (
    <Mark tone={is_active ? 'good' : 'quiet'}>{is_active ? t.setUp.active : t.setUp.inactive}</Mark>
  )
  return (
    <Page title={t.shell.pages[kind]} lead={words.emptyText} actions={create}>
      <Loaded from={locations} part={part}>
        {({ data, total }) => (
          <PagedTable
            caption={words.caption}
            rows={data}
            rowKey={({ id }) => id}
            isStale={locations.isPlaceholderData}
            empty={<Empty icon={kind} title={words.empty} action={create} />}
            columns={[
              { key: 'name', head: words.name, isName: true, cell: link },
              ...columns,
              { key: 'state', head: t.setUp.state, cell: state },
            ]}
            page={page}
            perPage={PER_PAGE}
            total={total}
            onPage={onPage}
          />
        )}
      </Loaded>
    </Page>
  )
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMay } from '../session/session.js'
import { useTexts } from '../texts/language.js'
import { buttonClass } from '../ui/button.js'
import { Icon } from '../ui/icon.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded } from '../ui/state.js'
import { LongText, cutName } from '../ui/table.js'
import { PER_PAGE, usePoints } from './set-up-calls.js'

export function PointsPage() {
  const t = useTexts()
  const words = t.setUp.points
  const { page } = useSearch({ from: '/frame/points' })
  const navigate = useNavigate({ from: '/points' })
  const mayChange = useMay('manager')
  const points = usePoints(page)
  const create = mayChange && (
    <Link to="/points/$id" params={{ id: 'new' }} className={buttonClass('primary')}>
      <Icon name="add" />
      {words.new}
    </Link>
  )
  return (
    <Page title={t.shell.pages.points} actions={create}>
      <Loaded from={points} part="pick-up-points">
        {({ data, total }) => (
          <PagedTable
            caption={words.caption}
            rows={data}
            rowKey={({ id }) => id}
            isStale={points.isPlaceholderData}
            empty={
              <Empty icon="points" title={words.empty} action={create}>
                {words.emptyText}
              </Empty>
            }
            columns={[
              {
                key: 'name',
                head: words.name,
                isName: true,
                cell: ({ id, name }) => (
                  <Link to="/points/$id" params={{ id: String(id) }}>
                    {cutName(name)}
                  </Link>
                ),
              },
              { key: 'city', head: words.city, cell: ({ city }) => <LongText text={city ?? t.general.none} /> },
              {
                key: 'address',
                head: words.address,
                isMinor: true,
                cell: ({ address }) => <LongText text={address} />,
              },
              {
                key: 'state',
                head: t.setUp.state,
                cell: ({ is_active }) => (
                  <Mark tone={is_active ? 'good' : 'quiet'}>{is_active ? t.setUp.active : t.setUp.inactive}</Mark>
                ),
              },
            ]}
            page={page}
            perPage={PER_PAGE}
            total={total}
            onPage={(next) => void navigate({ search: { page: next } })}
          />
        )}
      </Loaded>
    </Page>
  )
}

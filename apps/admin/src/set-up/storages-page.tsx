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
import { PER_PAGE, useStorages } from './set-up-calls.js'

export function StoragesPage() {
  const t = useTexts()
  const words = t.setUp.storages
  const { page } = useSearch({ from: '/frame/storages' })
  const navigate = useNavigate({ from: '/storages' })
  const mayChange = useMay('owner')
  const storages = useStorages(page)
  const create = mayChange && (
    <Link to="/storages/$id" params={{ id: 'new' }} className={buttonClass('primary')}>
      <Icon name="add" />
      {words.new}
    </Link>
  )
  return (
    <Page title={t.shell.pages.storages} lead={words.emptyText} actions={create}>
      <Loaded from={storages} part="storages">
        {({ data, total }) => (
          <PagedTable
            caption={words.caption}
            rows={data}
            rowKey={({ id }) => id}
            isStale={storages.isPlaceholderData}
            empty={<Empty icon="storages" title={words.empty} action={create} />}
            columns={[
              {
                key: 'name',
                head: words.name,
                isName: true,
                cell: ({ id, name }) => (
                  <Link to="/storages/$id" params={{ id: String(id) }}>
                    {cutName(name)}
                  </Link>
                ),
              },
              { key: 'kind', head: words.kind, cell: ({ supplier }) => words.kinds[supplier.kind] },
              {
                key: 'address',
                head: words.address,
                isMinor: true,
                cell: ({ supplier }) =>
                  supplier.kind === 'http' ? <LongText text={supplier.base_url} /> : t.general.none,
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

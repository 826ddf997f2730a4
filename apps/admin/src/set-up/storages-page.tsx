import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { LongText } from '../ui/table.js'
import { PER_PAGE } from './set-up-calls.js'
import { LocationList } from './location-list.js'

export function StoragesPage() {
  const t = useTexts()
  const words = t.setUp.storages
  const { page } = useSearch({ from: '/frame/storages' })
  const navigate = useNavigate({ from: '/storages' })
  return (
    <LocationList
      kind="storages"
      locations={useCall('GET /storages', { query: { page, per_page: PER_PAGE } })}
      columns={[
        { key: 'kind', head: words.kind, cell: ({ supplier }) => words.kinds[supplier.kind] },
        {
          key: 'address',
          head: words.address,
          isMinor: true,
          cell: ({ supplier }) => (supplier.kind === 'http' ? <LongText text={supplier.base_url} /> : t.general.none),
        },
      ]}
      page={page}
      onPage={(next) => void navigate({ search: { page: next } })}
    />
  )
}

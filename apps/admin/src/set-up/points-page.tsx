import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { LongText } from '../ui/table.js'
import { PER_PAGE } from './set-up-calls.js'
import { LocationList } from './location-list.js'

export function PointsPage() {
  const t = useTexts()
  const words = t.setUp.points
  const { page } = useSearch({ from: '/frame/points' })
  const navigate = useNavigate({ from: '/points' })
  return (
    <LocationList
      kind="points"
      locations={useCall('GET /pick-up-points', { query: { page, per_page: PER_PAGE } })}
      columns={[
        { key: 'city', head: words.city, cell: ({ city }) => <LongText text={city ?? t.general.none} /> },
        { key: 'address', head: words.address, isMinor: true, cell: ({ address }) => <LongText text={address} /> },
      ]}
      page={page}
      onPage={(next) => void navigate({ search: { page: next } })}
    />
  )
}

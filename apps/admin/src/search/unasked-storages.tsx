import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { admin } from '../calls/admin-client.js'
import { useMay } from '../calls/session.js'
import { useReferences } from '../calls/use-overview.js'
import { IncludeInSearch } from '../price-lists/not-in-search.js'
import { useTexts } from '../texts/language.js'
import { Notice } from '../ui/panel.js'
import { absenceOf, soldOutIn } from './not-found.js'

type Found = AnswerOf<'POST /search/brands'>

/** Why no brand is shown. */
export function NotFound({ found }: { found: Found }) {
  const words = useTexts().search
  const absence = absenceOf(found)
  switch (absence.why) {
    case 'unnamed':
      return <Notice tone="warning" title={words.unnamed(absence.storages.join(', '))} />
    case 'unfit':
      return <p className="muted">{words.unfit(absence.storages.join(', '))}</p>
    case 'nowhere':
      return <Absent text={words.noBrands} />
    case 'not-in-asked':
      return <Absent text={words.notInAsked(found.asked, found.of)} />
  }
}

/** Lists that are looked into, the newest: one call each. */
const MOST_LISTS = 50

/** The search does not offer what a list has with a quantity of 0. */
function Absent({ text }: { text: string }) {
  const words = useTexts().search
  const { article } = useSearch({ from: '/frame/search' })
  const active = (useReferences().data?.price_lists ?? []).filter(({ is_active }) => is_active)
  const lists = active.toSorted((one, other) => other.id - one.id).slice(0, MOST_LISTS)
  const soldOut = useQuery({
    queryKey: ['sold out', article, lists.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const call = { query: { article, per_page: 2 }, signal }
      const looked = lists.map(async ({ id, name }) => {
        const { data } = await admin('GET /price-lists/:id/offers', { ...call, params: { id } })
        return { name, offers: data }
      })
      return soldOutIn(await Promise.all(looked))
    },
    retry: false,
  })
  return (
    <>
      <p className="muted">{text}</p>
      {soldOut.data !== undefined && soldOut.data.length > 0 && <p>{words.soldOut(soldOut.data)}</p>}
    </>
  )
}

/** The storages that hold the article and were not asked, and what includes them in the search. */
export function AlsoIn({ found, onIncluded }: { found: Found; onIncluded: () => void }) {
  const t = useTexts()
  const { also_in: holders, asked_by } = found
  const kinds = new Map((useReferences().data?.storages ?? []).map(({ id, kind }) => [id, kind]))
  const mayInclude = useMay('manager')
  if (holders.length === 0) return null
  return (
    <Notice tone="warning" title={t.search.alsoIn(holders.length)}>
      <ul className="stack-tight">
        {holders.map(({ storage_id, storage_name }) => (
          <li key={storage_id} className="row">
            <Link to="/storages/$id" params={{ id: String(storage_id) }}>
              {storage_name}
            </Link>
            {asked_by === 'storages_for_crosses' && kinds.has(storage_id) && (
              <IncludeInSearch storageIds={[storage_id]} onDone={onIncluded} />
            )}
          </li>
        ))}
      </ul>
      {!mayInclude && <p>{t.search.askManager}</p>}
    </Notice>
  )
}

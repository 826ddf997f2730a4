import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { Link } from '@tanstack/react-router'
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
      return <Absent found={found} text={words.noBrands} />
    case 'not-in-asked':
      return <Absent found={found} text={words.notInAsked(found.asked, found.of)} />
  }
}

/** The search does not offer what a list has with a quantity of 0. */
function Absent({ found, text }: { found: Found; text: string }) {
  const words = useTexts().search
  const lists = soldOutIn(found.sold_out, useReferences().data?.price_lists ?? [])
  return (
    <>
      <p className="muted">{text}</p>
      {lists.length > 0 && <p>{words.soldOut(lists)}</p>}
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

import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { Link } from '@tanstack/react-router'
import { useMay } from '../calls/session.js'
import { useReferences } from '../calls/use-overview.js'
import { IncludeInSearch } from '../price-lists/not-in-search.js'
import { useTexts } from '../texts/language.js'
import { Notice } from '../ui/panel.js'

type Found = AnswerOf<'POST /search/brands'>

/** An article is nowhere only where all storages were asked. */
export function NotFound({ found: { asked, of, suppliers } }: { found: Found }) {
  const t = useTexts()
  const isComplete = of !== null && asked >= of && suppliers.every(({ outcome }) => outcome === 'ok')
  return <p className="muted">{isComplete ? t.search.noBrands : t.search.notInAsked(asked, of)}</p>
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

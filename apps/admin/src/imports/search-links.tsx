import { Link, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import type { Task } from './import-calls.js'

/** The ways from an import to the search: its own offers, and the article that its number may have meant. */
export function SearchLinks({ task }: { task: Task }) {
  const words = useTexts().imports.one
  const { article } = useSearch({ from: '/frame/imports/$id' })
  const offers = useCall('GET /price-lists/:id/offers', {
    params: { id: task.price_list_id },
    query: { per_page: 1 },
    isEnabled: task.is_live,
  })
  const first = task.is_live ? offers.data?.data[0]?.article : undefined
  if (article === '' && first === undefined) return null
  return (
    <p className="row">
      {article !== '' && (
        <Link to="/search" search={{ article }}>
          {words.searchArticle(article)}
        </Link>
      )}
      {first !== undefined && first !== article && (
        <Link to="/search" search={{ article: first }}>
          {words.findInSearch(first)}
        </Link>
      )}
    </p>
  )
}

import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/language.js'

/** Which setting refuses a file that is too short, and where it is. */
export function GuardHint({ id, listId }: { id?: string; listId: number }) {
  const { format, settings } = useTexts().priceLists
  return (
    <p id={id}>
      {format.tooShort(settings.guard)}{' '}
      <Link to="/price-lists/$id/settings" params={{ id: String(listId) }}>
        {format.changeGuard}
      </Link>
    </p>
  )
}

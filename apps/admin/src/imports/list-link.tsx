import { Link } from '@tanstack/react-router'
import { cutName } from '../ui/table.js'

/** The price list of an import, by its name. */
export function ListLink({ id, names }: { id: number; names: { id: number; name: string }[] }) {
  return (
    <Link to="/price-lists/$id" params={{ id: String(id) }}>
      {cutName(names.find((list) => list.id === id)?.name ?? String(id))}
    </Link>
  )
}

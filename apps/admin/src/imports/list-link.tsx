import { Link } from '@tanstack/react-router'
import { cutName } from '../ui/table.js'
import type { NamedList } from './import-calls.js'
import { listName } from './list-name.js'

/** The price list of an import, by its name. */
export function ListLink({ id, names }: { id: number; names: readonly NamedList[] | undefined }) {
  return (
    <Link to="/price-lists/$id" params={{ id: String(id) }}>
      {cutName(listName(id, names))}
    </Link>
  )
}

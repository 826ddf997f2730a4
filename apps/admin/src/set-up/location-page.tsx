import type { Exchange } from '@partsbus/client/transport'
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../calls/session.js'
import type { Deletion } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Page } from '../ui/page.js'
import { Loaded } from '../ui/state.js'
import { DeleteButton } from './delete-button.js'
import { LOCATIONS } from './location-list.js'

/** In place of the id, of one that does not exist yet. */
export const NEW = 'new'

interface LocationPageProps<Location> {
  kind: keyof typeof LOCATIONS
  id: string
  /** reads nothing while it is new */
  stored: UseQueryResult<Exchange<Location>>
  remove: UseMutationResult<unknown, Error, Deletion>
  /** the form; `location` is undefined while it is new */
  children: (location: Location | undefined, revision: string | null) => ReactNode
}

/** The page of one storage or pick-up point, or of a new one. */
export function LocationPage<Location extends { id: number; name: string }>({
  kind,
  id,
  stored,
  remove,
  children,
}: LocationPageProps<Location>) {
  const words = useTexts().setUp[kind]
  const { role, part, list: to } = LOCATIONS[kind]
  const mayChange = useMay(role)
  const list = <Link to={to}>{words.toList}</Link>
  if (id === NEW)
    return (
      <Page title={words.new} above={list}>
        {children(undefined, null)}
      </Page>
    )
  const data = stored.data
  return (
    <Page
      title={data?.answer.name ?? words.gone(id)}
      above={list}
      actions={
        mayChange &&
        data && <DeleteButton id={data.answer.id} revision={data.etag} name={data.answer.name} remove={remove} />
      }
    >
      <Loaded from={stored} part={part} gone={{ what: words.gone(id), link: list }}>
        {({ answer, etag }) => children(answer, etag)}
      </Loaded>
    </Page>
  )
}

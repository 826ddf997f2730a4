import type { Referrer } from '@partsbus/client/answer-error'
import { AppLink } from './app-link.js'

const PAGES: Record<string, string> = {
  setting: '/settings/erp',
  'price-list': '/price-lists/$id',
  'pick-up-point': '/points/$id',
}
const PARTNER_SETTING = 'storages_for_crosses'

/** What refers to a thing that cannot be deleted. */
export function ReferrerLink({ kind, id, name }: Referrer) {
  const page = kind === 'setting' && id === PARTNER_SETTING ? '/settings/b2b' : PAGES[kind]
  if (page === undefined) return name
  return (
    <AppLink path={page} params={{ id }}>
      {name}
    </AppLink>
  )
}

import type { Referrer } from '@partsbus/client/answer-error'
import { useTexts } from '../texts/language.js'
import { AppLink } from './app-link.js'

const PAGES: Record<string, string> = {
  setting: '/settings/erp',
  'price-list': '/price-lists/$id',
  'pick-up-point': '/points/$id',
}
const PARTNER_SETTING = 'storages_for_crosses'

/** A link to a resource because of which another one cannot be deleted. */
export function ReferrerLink({ kind, id, name }: Referrer) {
  const { settingNames } = useTexts().states
  const text = kind === 'setting' ? (settingNames[name] ?? name) : name
  const page = kind === 'setting' && id === PARTNER_SETTING ? '/settings/b2b' : PAGES[kind]
  if (page === undefined) return text
  return (
    <AppLink path={page} params={{ id }}>
      {text}
    </AppLink>
  )
}

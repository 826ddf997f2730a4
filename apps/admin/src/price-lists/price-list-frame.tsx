import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { Loaded, Skeleton } from '../ui/state.js'
import { Tabs } from '../ui/tabs.js'
import { NotInSearchNotice } from './not-in-search.js'
import { type PriceList } from './price-list-calls.js'

interface PriceListFrameProps {
  id: number
  children: (list: PriceList, revision: string | null) => ReactNode
}

/** The head and the tabs of one price list. */
export function PriceListFrame({ id, children }: PriceListFrameProps) {
  const t = useTexts()
  const list = useRevision('GET /price-lists/:id', { params: { id } })
  const lists = <Link to="/price-lists">{t.priceLists.toLists}</Link>
  const data = list.data?.answer
  const params = { id: String(id) }
  return (
    <Page
      title={data?.name ?? t.priceLists.gone(id)}
      above={lists}
      beside={data && !data.is_active && <Mark tone="quiet">{t.priceLists.inactive}</Mark>}
    >
      <Tabs
        label={t.priceLists.tabs.label}
        tabs={[
          { link: { to: '/price-lists/$id', params }, text: t.priceLists.tabs.live },
          { link: { to: '/price-lists/$id/format', params }, text: t.priceLists.tabs.format },
          { link: { to: '/price-lists/$id/sources', params }, text: t.priceLists.tabs.sources },
          { link: { to: '/price-lists/$id/offers', params }, text: t.priceLists.tabs.offers },
          { link: { to: '/price-lists/$id/changes', params }, text: t.priceLists.tabs.changes },
          { link: { to: '/price-lists/$id/settings', params }, text: t.priceLists.tabs.settings },
          { link: { to: '/imports', search: { price_list_id: id } }, text: t.priceLists.tabs.history },
        ]}
      />
      <Loaded
        from={list}
        part="price-lists"
        gone={{ what: t.priceLists.gone(id), link: lists }}
        skeleton={<Skeleton lines={12} />}
      >
        {({ answer, etag }) => (
          <>
            {answer.is_active && <NotInSearchNotice storageId={answer.storage_id} />}
            {children(answer, etag)}
          </>
        )}
      </Loaded>
    </Page>
  )
}

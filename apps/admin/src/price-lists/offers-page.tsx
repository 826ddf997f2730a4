import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Amount, Count } from '../ui/amount.js'
import { DownloadLinks } from '../ui/download-links.js'
import { Filters, PriceFilter, TextFilter } from '../ui/filters.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded } from '../ui/state.js'
import { LongText } from '../ui/table.js'
import { versionNumber, PER_PAGE } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'

type Offer = AnswerOf<'GET /price-lists/:id/offers'>['data'][number]

/** The live offers of the list as they are stored. */
export function OffersPage() {
  const id = Number(useParams({ from: '/frame/price-lists/$id/offers' }).id)
  return <PriceListFrame id={id}>{() => <Offers listId={id} />}</PriceListFrame>
}

function Offers({ listId }: { listId: number }) {
  const t = useTexts()
  const filter = useSearch({ from: '/frame/price-lists/$id/offers' })
  const navigate = useNavigate({ from: '/price-lists/$id/offers' })
  const offers = useCall('GET /price-lists/:id/offers', {
    params: { id: listId },
    query: { ...filter, per_page: PER_PAGE },
  })
  const { page: _page, ...shown } = filter
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  const { fields } = t.priceLists.format
  return (
    <>
      <Filters label={t.priceLists.offers.caption}>
        <TextFilter
          label={t.priceLists.offers.article}
          value={filter.article}
          placeholder={t.priceLists.offers.whole}
          onChange={(article) => narrow({ article })}
        />
        <TextFilter
          label={t.priceLists.offers.brand}
          value={filter.brand}
          placeholder={t.priceLists.offers.whole}
          onChange={(brand) => narrow({ brand })}
        />
        <PriceFilter
          label={t.priceLists.offers.priceFrom}
          value={filter.price_from}
          onChange={(price_from) => narrow({ price_from })}
        />
        <PriceFilter
          label={t.priceLists.offers.priceTo}
          value={filter.price_to}
          onChange={(price_to) => narrow({ price_to })}
        />
      </Filters>
      <Loaded from={offers} part="price-lists">
        {({ data, total, version, version_number: number }) => (
          <PagedTable
            title={
              version === null
                ? undefined
                : t.priceLists.offers.version(versionNumber({ version, number: number ?? undefined }))
            }
            actions={
              version !== null && (
                <DownloadLinks
                  path={`/price-lists/${listId}/offers`}
                  query={shown}
                  labels={t.priceLists.offers.download}
                />
              )
            }
            caption={t.priceLists.offers.caption}
            rows={data}
            rowKey={(row) => `${row.brand}\n${row.article}`}
            isStale={offers.isPlaceholderData}
            empty={
              <Empty icon="lists" title={version === null ? t.priceLists.offers.none : t.priceLists.offers.nothing}>
                {version === null || filter.article + filter.brand === '' ? undefined : t.priceLists.offers.onlyWhole}
              </Empty>
            }
            columns={[
              { key: 'brand', head: fields.brand, isMinor: true, cell: ({ brand }) => <LongText text={brand} /> },
              {
                key: 'article',
                head: fields.article,
                isName: true,
                cell: ({ article }) => <LongText text={article} />,
                note: ({ brand, name }) => <LongText text={[brand, name].join(' · ')} />,
              },
              { key: 'name', head: fields.name, isMinor: true, cell: ({ name }) => <LongText text={name} /> },
              {
                key: 'quantity',
                head: fields.quantity,
                isNumber: true,
                cell: ({ quantity }) => <Count value={quantity} />,
              },
              { key: 'price', head: fields.price, isNumber: true, cell: ({ price }) => <Amount value={price} /> },
              ...(data.some(({ delivery_days }) => delivery_days !== null)
                ? [
                    {
                      key: 'days',
                      head: fields.delivery_days,
                      isNumber: true,
                      cell: ({ delivery_days }: Offer) =>
                        delivery_days === null ? t.general.none : <Count value={delivery_days} />,
                    },
                  ]
                : []),
            ]}
            page={filter.page}
            perPage={PER_PAGE}
            total={total}
            onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
          />
        )}
      </Loaded>
    </>
  )
}

import { AnswerError } from '@partsbus/client/answer-error'
import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { changeKinds } from '@partsbus/contracts/pricing-import/change-kinds'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Amount } from '../ui/amount.js'
import { DownloadLinks } from '../ui/download-links.js'
import { ChoiceFilter, Filters, TextFilter } from '../ui/filters.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { type Column, LongText } from '../ui/table.js'
import { useFormats } from '../ui/use-formats.js'
import { PER_PAGE, type Version, versionNumber } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'

type Changes = AnswerOf<'GET /price-lists/:id/changes'>
type Change = Changes['data'][number]

/** What differs between two of the kept versions. */
export function ChangesPage() {
  const t = useTexts()
  const id = Number(useParams({ from: '/frame/price-lists/$id/changes' }).id)
  const versions = useCall('GET /price-lists/:id/versions', { params: { id } })
  return (
    <PriceListFrame id={id}>
      {() => (
        <Loaded from={versions} part="price-lists">
          {(kept) =>
            kept.length < 2 ? (
              <Empty icon="lists" title={t.changes.onlyOne}>
                {t.changes.onlyOneText}
              </Empty>
            ) : (
              <Comparison listId={id} versions={kept} />
            )
          }
        </Loaded>
      )}
    </PriceListFrame>
  )
}

function Comparison({ listId, versions }: { listId: number; versions: Version[] }) {
  const t = useTexts()
  const formats = useFormats()
  const filter = useSearch({ from: '/frame/price-lists/$id/changes' })
  const navigate = useNavigate({ from: '/price-lists/$id/changes' })
  const changes = useCall('GET /price-lists/:id/changes', {
    params: { id: listId },
    query: { ...filter, per_page: PER_PAGE },
  })
  const columns = useColumns()
  const { page: _page, ...shown } = filter
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  const options = versions.map((version) => ({
    value: String(version.version),
    label: t.changes.version(formats.number(versionNumber(version)), formats.dateTime(new Date(version.created_at))),
  }))
  const shownNumber = (id: number) =>
    formats.number(versionNumber(versions.find(({ version }) => version === id) ?? { version: id }))
  const textOf = (version: number | undefined) => (version === undefined ? undefined : String(version))
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  // other versions can be compared: to try these again is of no use
  const refusal =
    changes.error instanceof AnswerError && changes.error.status === 409 ? changes.error.message : undefined
  const compared = (
    <Loaded from={changes} part="price-lists" skeleton={<Comparing />}>
      {({ data, total, from, to, counts }) => (
        <>
          <Counts counts={counts} />
          <PagedTable
            title={t.changes.title(shownNumber(from), shownNumber(to))}
            actions={
              <DownloadLinks
                path={`/price-lists/${listId}/changes`}
                query={{ ...shown, from, to }}
                labels={t.changes.download}
              />
            }
            caption={t.changes.caption}
            columns={columns}
            rows={data}
            rowKey={({ brand, article }) => `${brand}\n${article}`}
            isStale={changes.isPlaceholderData}
            empty={
              <Empty icon="lists" title={t.changes.nothing}>
                {filter.article + filter.brand === '' ? undefined : t.priceLists.offers.onlyWhole}
              </Empty>
            }
            page={filter.page}
            perPage={PER_PAGE}
            total={total}
            onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
          />
        </>
      )}
    </Loaded>
  )
  return (
    <>
      <Filters label={t.changes.caption}>
        <ChoiceFilter
          label={t.changes.from}
          all={t.changes.before}
          value={textOf(filter.from)}
          options={options}
          onChange={(next) => narrow({ from: numberOf(next) })}
        />
        <ChoiceFilter
          label={t.changes.to}
          all={t.changes.live}
          value={textOf(filter.to)}
          options={options}
          onChange={(next) => narrow({ to: numberOf(next) })}
        />
        <ChoiceFilter
          label={t.changes.kind}
          all={t.general.all}
          value={filter.kind}
          options={changeKinds.map((value) => ({ value, label: t.changes.kinds[value] }))}
          onChange={(kind) => narrow({ kind })}
        />
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
      </Filters>
      {refusal === undefined ? (
        compared
      ) : (
        <Empty icon="lists" title={refusal}>
          {t.changes.choose}
        </Empty>
      )}
    </>
  )
}

/** Two versions of a million rows are compared for some time, once. */
function Comparing() {
  const t = useTexts()
  return (
    <>
      <p className="muted">{t.changes.comparing}</p>
      <Skeleton lines={12} />
    </>
  )
}

function Counts({ counts }: { counts: Changes['counts'] }) {
  const t = useTexts()
  const formats = useFormats()
  return (
    <ul className="row" aria-label={t.changes.counts}>
      {changeKinds.map((kind) => (
        <li key={kind}>{t.changes.counted(t.changes.countedKinds[kind], formats.number(counts[kind]))}</li>
      ))}
      <li>{t.changes.counted(t.changes.unchanged, formats.number(counts.unchanged))}</li>
    </ul>
  )
}

function useColumns(): Column<Change>[] {
  const t = useTexts()
  const formats = useFormats()
  const { fields } = t.priceLists.format
  const shown = (value: string | number | null): string =>
    value === null || value === '' ? t.general.none : typeof value === 'number' ? formats.number(value) : value
  const others = ({ changed, old: before, new: now }: Change): string =>
    (['quantity', 'delivery_days', 'name'] as const)
      .filter((field) => changed.includes(field))
      .map((field) => t.changes.other(fields[field], shown(before?.[field] ?? null), shown(now?.[field] ?? null)))
      .join('; ')
  return [
    { key: 'kind', head: t.changes.kind, isMinor: true, cell: ({ kind }) => t.changes.kinds[kind] },
    { key: 'brand', head: fields.brand, isMinor: true, cell: ({ brand }) => <LongText text={brand} /> },
    {
      key: 'article',
      head: fields.article,
      isName: true,
      cell: ({ article }) => <LongText text={article} />,
      note: (row) => (
        <LongText text={[t.changes.kinds[row.kind], row.brand, (row.new ?? row.old)?.name ?? ''].join(' · ')} />
      ),
    },
    {
      key: 'name',
      head: fields.name,
      isMinor: true,
      cell: (row) => <LongText text={(row.new ?? row.old)?.name ?? ''} />,
    },
    {
      key: 'old',
      head: t.changes.oldPrice,
      isNumber: true,
      isMinor: true,
      cell: (row) => <Amount value={row.old?.price} />,
    },
    {
      key: 'new',
      head: t.changes.newPrice,
      isNumber: true,
      cell: (row) => <Amount value={row.new?.price} />,
      note: (row) => (row.old === null || row.old.price === null ? null : t.changes.was(formats.amount(row.old.price))),
    },
    {
      key: 'percent',
      head: t.changes.percent,
      isNumber: true,
      cell: ({ price_percent }) => (price_percent === null ? t.general.none : formats.difference(price_percent)),
    },
    { key: 'others', head: t.changes.others, cell: (row) => <LongText text={others(row)} /> },
  ]
}

import type { AnswerOf } from '@partsbus/contracts/http/admin'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useAllPoints } from '../set-up/set-up-calls.js'
import { admin } from '../calls/admin-client.js'
import { useReferences } from '../calls/use-overview.js'
import { useTexts } from '../texts/language.js'
import { Amount, Count } from '../ui/amount.js'
import { Button } from '../ui/button.js'
import { SelectMany } from '../ui/select.js'
import { Field } from '../ui/field.js'
import { Page } from '../ui/page.js'
import { Notice, Panel } from '../ui/panel.js'
import { Empty, Loaded } from '../ui/state.js'
import { LongText, Table } from '../ui/table.js'
import { AlsoIn, NotFound } from './unasked-storages.js'
import { PartialResult, SupplierOutcomes } from './supplier-outcomes.js'

type Brand = AnswerOf<'POST /search/brands'>['brands'][number]

export function SearchPage() {
  const t = useTexts()
  const { article } = useSearch({ from: '/frame/search' })
  return (
    <Page title={t.shell.pages.search} lead={t.search.lead}>
      <SearchForm key={article} />
      {article === '' ? <Empty icon="search" title={t.search.empty} /> : <Results />}
    </Page>
  )
}

function SearchForm() {
  const t = useTexts()
  const { article, point } = useSearch({ from: '/frame/search' })
  const navigate = useNavigate({ from: '/search' })
  const [typed, setTyped] = useState(article)
  const points = useAllPoints()
  const hasNoPoints = useReferences().data?.pick_up_points.length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate({ search: (old) => ({ ...old, article: typed.trim(), brand: '' }) })
  }
  return (
    <Panel>
      <form className="stack" role="search" onSubmit={submit}>
        <div className="fields">
          <Field label={t.search.article}>
            {(control) => (
              <input
                {...control}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <SelectMany
            label={t.search.points}
            hint={hasNoPoints ? t.search.noPoints : t.search.allPoints}
            options={points.map(({ id, name }) => ({ value: id, label: name }))}
            values={point.map(Number)}
            onChange={(ids) => void navigate({ search: (old) => ({ ...old, point: ids.map(String) }), replace: true })}
          />
        </div>
        <div>
          <Button type="submit" kind="primary" icon="search" disabled={typed.trim() === ''}>
            {t.search.ask}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

const pickUpPoints = (point: string[]) => (point.length === 0 ? {} : { pick_up_points: point.map(Number) })

function Results() {
  const t = useTexts()
  const { article, brand, point } = useSearch({ from: '/frame/search' })
  const navigate = useNavigate({ from: '/search' })
  const brands = useQuery({
    queryKey: ['POST /search/brands', article, point],
    queryFn: ({ signal }) => admin('POST /search/brands', { body: { article, ...pickUpPoints(point) }, signal }),
    retry: false,
  })
  return (
    <Loaded from={brands} part="search">
      {(found) => (
        <>
          {!found.is_open && <Notice tone="info" title={t.search.closed} />}
          <p className="muted">
            {t.search.readAs(found.article_key)} · {t.search.askedOf(found.asked, found.of)}
          </p>
          {brand === '' && <PartialResult suppliers={found.suppliers} />}
          <Panel title={t.search.brands} isFlush={found.brands.length > 0}>
            <Table
              caption={t.search.brands}
              rows={found.brands}
              rowKey={(row) => `${row.brand}\n${row.article}`}
              empty={<NotFound found={found} />}
              columns={[
                {
                  key: 'brand',
                  head: t.search.brand,
                  isName: true,
                  cell: (row: Brand) => row.brand,
                  note: (row: Brand) => <LongText text={`${row.article} · ${row.name}`} />,
                },
                { key: 'article', head: t.search.article, isMinor: true, cell: (row: Brand) => row.article },
                { key: 'name', head: t.search.name, isMinor: true, cell: (row: Brand) => <LongText text={row.name} /> },
                {
                  key: 'storages',
                  head: t.search.storage,
                  cell: (row: Brand) => t.search.storages(row.storages.length),
                },
                {
                  key: 'parts',
                  head: '',
                  cell: (row: Brand) => (
                    <Button
                      isSmall
                      aria-label={`${t.search.showParts}: ${row.brand} ${row.article}`}
                      aria-pressed={row.brand === brand}
                      onClick={() => void navigate({ search: (old) => ({ ...old, brand: row.brand }) })}
                    >
                      {t.search.showParts}
                    </Button>
                  ),
                },
              ]}
            />
          </Panel>
          <AlsoIn found={found} onIncluded={() => void brands.refetch()} />
          {brand === '' ? <SupplierOutcomes suppliers={found.suppliers} /> : <Parts />}
        </>
      )}
    </Loaded>
  )
}

function Parts() {
  const t = useTexts()
  const { article, brand, point } = useSearch({ from: '/frame/search' })
  const parts = useQuery({
    queryKey: ['POST /search/parts', article, brand, point],
    queryFn: ({ signal }) =>
      admin('POST /search/parts', { body: { article, brands: [brand], ...pickUpPoints(point) }, signal }),
    retry: false,
  })
  return (
    <Loaded from={parts} part="search">
      {(found) => (
        <>
          <PartialResult suppliers={found.suppliers} />
          <Panel title={`${t.search.parts}: ${brand}`} isFlush={found.parts.length > 0}>
            <Table
              caption={t.search.parts}
              rows={found.parts.map((part, at) => ({ ...part, at }))}
              rowKey={({ at }) => at}
              empty={<p className="muted">{t.search.noParts}</p>}
              columns={[
                { key: 'brand', head: t.search.brand, cell: (row) => row.brand },
                {
                  key: 'article',
                  head: t.search.article,
                  isName: true,
                  cell: (row) => row.article,
                  note: (row) => <LongText text={row.name} />,
                },
                { key: 'name', head: t.search.name, isMinor: true, cell: (row) => <LongText text={row.name} /> },
                {
                  key: 'quantity',
                  head: t.search.quantity,
                  isNumber: true,
                  cell: (row) => <Count value={row.quantity} />,
                },
                { key: 'price', head: t.search.price, isNumber: true, cell: (row) => <Amount value={row.price} /> },
                {
                  key: 'days',
                  head: t.search.days,
                  isNumber: true,
                  cell: (row) =>
                    row.delivery_days === undefined ? t.general.none : <Count value={row.delivery_days} />,
                },
                { key: 'storage', head: t.search.storage, cell: (row) => <LongText text={row.storage_name} /> },
              ]}
            />
          </Panel>
          <SupplierOutcomes suppliers={found.suppliers} />
        </>
      )}
    </Loaded>
  )
}

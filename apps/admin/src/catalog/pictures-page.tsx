import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMay } from '../calls/session.js'
import { useCall, useSend } from '../calls/use-call.js'
import { ServerText } from '../ui/server-text.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { ChoiceFilter, Filters, TextFilter } from '../ui/filters.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { LongText } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { toast } from '../ui/toast.js'
import { useFormats } from '../ui/use-formats.js'
import { PER_PAGE, stalePictures, type PictureRow } from './catalog-calls.js'

/** How often the list is read while it is open, ms. */
const EVERY_MS = 5_000

export function PicturesPage() {
  const t = useTexts()
  const formats = useFormats()
  const filter = useSearch({ from: '/frame/pictures' })
  const navigate = useNavigate({ from: '/pictures' })
  const mayRetry = useMay('manager')
  const pictures = useCall('GET /media-jobs', { query: { ...filter, per_page: PER_PAGE }, everyMs: EVERY_MS })
  const retry = useSend('POST /media-jobs/:id/retry', { stale: stalePictures })
  const retryAll = useSend('POST /media-jobs/retry', {
    stale: stalePictures,
    onDone: ({ retried }) => toast(t.catalog.pictures.retried(retried)),
  })
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  const { status, host } = filter
  const isFiltered = status !== undefined || host !== ''
  const hasFailed = pictures.data?.data.some((row) => row.status === 'failed') ?? false
  return (
    <Page
      title={t.shell.pages.pictures}
      actions={
        mayRetry &&
        hasFailed && (
          <Button
            icon="refresh"
            isWrite
            isBusy={retryAll.isPending}
            onClick={() => retryAll.mutate({ body: host === '' ? {} : { host } })}
          >
            {host === '' ? t.catalog.pictures.retryAll : t.catalog.pictures.retryHost(host)}
          </Button>
        )
      }
    >
      <Filters label={t.shell.pages.pictures}>
        <ChoiceFilter
          label={t.catalog.pictures.statusLabel}
          all={t.general.all}
          value={status}
          options={[
            { value: 'failed', label: t.catalog.pictures.status.failed },
            { value: 'pending', label: t.catalog.pictures.status.pending },
          ]}
          onChange={(next) => narrow({ status: next })}
        />
        <TextFilter
          label={t.catalog.pictures.host}
          placeholder={t.catalog.pictures.hostPlaceholder}
          value={host}
          onChange={(next) => narrow({ host: next })}
        />
      </Filters>
      {retry.error !== null && <RefusalNotice error={retry.error} />}
      {retryAll.error !== null && <RefusalNotice error={retryAll.error} />}
      <Loaded from={pictures} part="media-jobs" skeleton={<Skeleton lines={10} />}>
        {({ data, total }) =>
          data.length === 0 && filter.page === 1 ? (
            <Empty
              icon={isFiltered ? 'search' : 'good'}
              title={isFiltered ? t.catalog.pictures.nothing : t.catalog.pictures.allFetched}
            />
          ) : (
            <PagedTable
              caption={t.catalog.pictures.caption}
              rows={data}
              rowKey={({ id }) => id}
              isStale={pictures.isPlaceholderData}
              columns={[
                {
                  key: 'status',
                  head: t.catalog.pictures.statusLabel,
                  cell: (row) => (
                    <Mark tone={row.status === 'failed' ? 'danger' : 'waiting'}>
                      {t.catalog.pictures.status[row.status]}
                    </Mark>
                  ),
                },
                { key: 'item', head: t.catalog.pictures.item, isName: true, cell: (row) => <ItemLink row={row} /> },
                { key: 'url', head: t.catalog.pictures.address, cell: ({ url }) => <LongText text={url} /> },
                {
                  key: 'reason',
                  head: t.catalog.pictures.reason,
                  cell: ({ last_error }) => <ServerText text={last_error ?? t.general.none} />,
                },
                {
                  key: 'attempts',
                  head: t.catalog.pictures.attempts,
                  isNumber: true,
                  isMinor: true,
                  cell: ({ attempts }) => formats.number(attempts),
                },
                {
                  key: 'since',
                  head: t.catalog.pictures.since,
                  isMinor: true,
                  cell: ({ updated_at }) => <Time at={updated_at} />,
                },
                {
                  key: 'retry',
                  head: '',
                  cell: ({ id, status: state, url }) =>
                    mayRetry && state === 'failed' ? (
                      <Button
                        isSmall
                        kind="quiet"
                        icon="refresh"
                        isWrite
                        isBusy={retry.isPending && retry.variables?.params.id === id}
                        aria-label={`${t.catalog.pictures.retry}: ${url}`}
                        onClick={() => retry.mutate({ params: { id } })}
                      >
                        {t.catalog.pictures.retry}
                      </Button>
                    ) : null,
                },
              ]}
              page={filter.page}
              perPage={PER_PAGE}
              total={total}
              onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

function ItemLink({ row: { item, erp_id } }: { row: PictureRow }) {
  if (item === 'product') {
    return (
      <Link to="/products" search={{ q: erp_id }}>
        {erp_id}
      </Link>
    )
  }
  return (
    <Link to="/categories" search={{ q: erp_id }}>
      {erp_id}
    </Link>
  )
}

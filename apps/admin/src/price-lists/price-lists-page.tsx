import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { DropArea, useDropRows } from '../ui/drop-area.js'
import { CheckFilter, Filters, TextFilter } from '../ui/filters.js'
import { Mark } from '../ui/mark.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Panel } from '../ui/panel.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { LongText, cutName } from '../ui/table.js'
import { TaskState } from '../imports/task-state.js'
import { Time } from '../ui/time.js'
import { NotInSearchBadge } from './not-in-search.js'
import { NewListDialog } from './new-list-dialog.js'
import { PER_PAGE, type PriceListRow, useStorages, EVERY_MS } from './price-list-calls.js'
import { Upload } from './upload-area.js'
import { useUpload } from './use-upload.js'

export function PriceListsPage() {
  const t = useTexts()
  const filter = useSearch({ from: '/frame/price-lists' })
  const { q, problem, page } = filter
  const navigate = useNavigate({ from: '/price-lists' })
  const mayChange = useMay('manager')
  const [isCreating, setIsCreating] = useState(false)
  const [dropped, setDropped] = useState<File>()
  const lists = useCall('GET /price-lists', {
    query: { ...filter, problem: problem || undefined, per_page: PER_PAGE },
    everyMs: EVERY_MS,
  })
  const storages = useStorages()
  const { state: upload, start, cancel } = useUpload()
  const isSending = upload !== undefined && upload.error === undefined
  const rowProps = useDropRows<PriceListRow>((file, { id }) => void start(id, file), !mayChange || isSending)
  const storageName = (id: number): string => storages.data?.data.find((one) => one.id === id)?.name ?? String(id)
  const create = mayChange && (
    <Button kind="primary" icon="add" onClick={() => setIsCreating(true)}>
      {t.priceLists.newList}
    </Button>
  )
  return (
    <Page title={t.shell.pages.priceLists} actions={create}>
      <Filters label={t.shell.pages.priceLists}>
        <TextFilter
          label={t.general.search}
          value={q}
          onChange={(next) => void navigate({ search: { problem, q: next }, replace: true })}
        />
        <CheckFilter
          label={t.priceLists.onlyProblems}
          isOn={problem}
          onChange={(next) => void navigate({ search: { q, problem: next }, replace: true })}
        />
      </Filters>
      <Loaded from={lists} part="price-lists" skeleton={<Skeleton lines={10} />}>
        {({ data, total }) =>
          data.length === 0 && page === 1 && q === '' && !problem ? (
            <Empty icon="lists" title={t.priceLists.empty} action={create}>
              {t.priceLists.emptyText}
            </Empty>
          ) : (
            <>
              {mayChange && <p className="muted small">{t.priceLists.dropHint}</p>}
              {upload && (
                <Panel title={data.find(({ id }) => id === upload.listId)?.name ?? t.priceLists.gone(upload.listId)}>
                  <Upload state={upload} onCancel={cancel} />
                </Panel>
              )}
              <PagedTable
                caption={t.priceLists.caption}
                rows={data}
                rowKey={({ id }) => id}
                rowProps={rowProps}
                empty={<Empty icon="search" title={t.priceLists.nothing} />}
                isStale={lists.isPlaceholderData}
                columns={[
                  {
                    key: 'name',
                    head: t.priceLists.name,
                    isName: true,
                    cell: ({ id, name }) => (
                      <Link to="/price-lists/$id" params={{ id: String(id) }}>
                        {cutName(name)}
                      </Link>
                    ),
                  },
                  {
                    key: 'storage',
                    head: t.priceLists.storage,
                    isMinor: true,
                    cell: ({ storage_id }) => <LongText text={storageName(storage_id)} />,
                  },
                  {
                    key: 'state',
                    head: t.priceLists.state,
                    cell: ({ is_active, live, storage_id }) => (
                      <div className="row">
                        <Mark tone={is_active ? 'good' : 'quiet'}>
                          {is_active ? t.priceLists.active : t.priceLists.inactive}
                        </Mark>
                        {is_active && live !== null && <NotInSearchBadge storageId={storage_id} />}
                      </div>
                    ),
                  },
                  {
                    key: 'live',
                    head: t.priceLists.tabs.live,
                    cell: ({ live }) =>
                      live === null ? (
                        t.general.none
                      ) : (
                        <>
                          {t.general.rows(live.rows)}
                          {' · '}
                          <Time at={live.since} />
                        </>
                      ),
                  },
                  {
                    key: 'last',
                    head: t.priceLists.lastImport,
                    cell: ({ last_task }) =>
                      last_task === null ? (
                        t.general.none
                      ) : (
                        <Link to="/imports/$id" params={{ id: String(last_task.id) }}>
                          <TaskState task={last_task} />
                        </Link>
                      ),
                  },
                  {
                    key: 'mode',
                    head: t.priceLists.mode,
                    isMinor: true,
                    cell: ({ mode }) => t.priceLists.modes[mode],
                  },
                  {
                    key: 'sources',
                    head: t.priceLists.sourceCount,
                    isMinor: true,
                    cell: ({ sources }) =>
                      sources.length === 0
                        ? t.priceLists.noSources
                        : sources.map(({ kind }) => t.tasks.sources[kind]).join(', '),
                  },
                ]}
                page={page}
                perPage={PER_PAGE}
                total={total}
                onPage={(next) => void navigate({ search: { q, problem, page: next } })}
              />
            </>
          )
        }
      </Loaded>
      {mayChange && lists.data && (
        <DropArea isDisabled={isSending} onFiles={([file]) => setDropped(file)}>
          {t.priceLists.dropNew}
        </DropArea>
      )}
      {isCreating && <NewListDialog onClose={() => setIsCreating(false)} />}
      {dropped && (
        <NewListDialog
          file={dropped}
          onCreated={(id) => {
            setDropped(undefined)
            void start(id, dropped)
          }}
          onClose={() => setDropped(undefined)}
        />
      )}
    </Page>
  )
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Count } from '../ui/amount.js'
import { dayRange } from '../ui/day-range.js'
import { ChoiceFilter, DayFilter, Filters } from '../ui/filters.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded, Skeleton } from '../ui/state.js'
import { type Column, LongText } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import { PER_PAGE, type Task, useImports, useListNames } from './import-calls.js'
import { ImportStrip } from './import-strip.js'
import { ListLink } from './list-link.js'
import { TaskState } from './task-state.js'

const STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
const SOURCES = ['manual', 'email', 'ftp', 'url'] as const

export function ImportsPage() {
  const t = useTexts()
  const { session } = useSession()
  const filter = useSearch({ from: '/frame/imports' })
  const navigate = useNavigate({ from: '/imports' })
  const names = useListNames()
  const days = dayRange(filter.from, filter.to, session.administrator.time_zone ?? undefined)
  const tasks = useImports({ ...filter, ...days })
  const columns = useColumns(names)
  const narrow = (part: Partial<typeof filter>) =>
    void navigate({ search: (old) => ({ ...old, page: 1, ...part }), replace: true })
  return (
    <Page title={t.shell.pages.imports}>
      <Filters label={t.shell.pages.imports}>
        <ChoiceFilter
          label={t.imports.state}
          all={t.general.all}
          value={filter.status[0]}
          options={STATUSES.map((value) => ({ value, label: t.tasks.statuses[value] }))}
          onChange={(next) => narrow({ status: next === undefined ? [] : [next] })}
        />
        <ChoiceFilter
          label={t.imports.priceList}
          all={t.imports.allLists}
          value={filter.price_list_id === undefined ? undefined : String(filter.price_list_id)}
          options={(names ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(next) => narrow({ price_list_id: next === undefined ? undefined : Number(next) })}
        />
        <ChoiceFilter
          label={t.imports.source}
          all={t.imports.allSources}
          value={filter.source_type}
          options={SOURCES.map((value) => ({ value, label: t.tasks.sources[value] }))}
          onChange={(next) => narrow({ source_type: next })}
        />
        <DayFilter label={t.imports.from} value={filter.from} onChange={(next) => narrow({ from: next })} />
        <DayFilter label={t.imports.to} value={filter.to} onChange={(next) => narrow({ to: next })} />
      </Filters>
      <ImportStrip listId={filter.price_list_id} />
      <Loaded from={tasks} part="import-tasks" skeleton={<Skeleton lines={12} />}>
        {({ data, total }) => (
          <PagedTable
            caption={t.imports.caption}
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            isStale={tasks.isPlaceholderData}
            empty={<Empty icon="imports" title={t.imports.empty} />}
            page={filter.page}
            perPage={PER_PAGE}
            total={total}
            onPage={(page) => void navigate({ search: (old) => ({ ...old, page }) })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function useColumns(names: ReturnType<typeof useListNames>): Column<Task>[] {
  const t = useTexts()
  const formats = useFormats()
  return [
    {
      key: 'id',
      head: t.imports.number,
      isName: true,
      cell: ({ id }) => (
        <Link to="/imports/$id" params={{ id: String(id) }}>
          {String(id)}
        </Link>
      ),
    },
    {
      key: 'list',
      head: t.imports.priceList,
      cell: ({ price_list_id }) => <ListLink id={price_list_id} names={names} />,
    },
    { key: 'file', head: t.imports.file, cell: ({ file_name }) => <LongText text={file_name} /> },
    { key: 'state', head: t.imports.state, cell: (task) => <TaskState task={task} /> },
    { key: 'source', head: t.imports.source, isMinor: true, cell: ({ source_type }) => t.tasks.sources[source_type] },
    { key: 'rows', head: t.imports.rows, isNumber: true, cell: ({ total_rows }) => <Count value={total_rows} /> },
    {
      key: 'skipped',
      head: t.imports.skipped,
      isNumber: true,
      cell: ({ skipped_rows, total_rows }) =>
        total_rows === 0 || skipped_rows === 0 ? t.general.none : formats.percent(skipped_rows / total_rows),
    },
    {
      key: 'speed',
      head: t.imports.speed,
      isNumber: true,
      isMinor: true,
      cell: ({ rows_per_second }) => (rows_per_second === null ? t.general.none : <Count value={rows_per_second} />),
    },
    {
      key: 'started',
      head: t.imports.started,
      cell: ({ started_at }) => (started_at === null ? t.general.none : <Time at={started_at} />),
    },
    {
      key: 'took',
      head: t.imports.took,
      isNumber: true,
      isMinor: true,
      cell: ({ started_at, completed_at }) =>
        started_at === null || completed_at === null
          ? t.general.none
          : formats.duration(Date.parse(completed_at) - Date.parse(started_at)),
    },
  ]
}

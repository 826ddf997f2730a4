import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { prefix } from '../browser/page-address.js'
import { useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Badge } from '../ui/mark.js'
import { Button, buttonClass } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Icon } from '../ui/icon.js'
import { Page } from '../ui/page.js'
import { Facts, Notice, Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Loaded, Skeleton } from '../ui/state.js'
import { Time } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import { type LiveState, type Task, useListNames, useTask, staleTasks } from './import-calls.js'
import { GuardHint } from '../price-lists/guard-hint.js'
import { NotInSearchNotice } from '../price-lists/not-in-search.js'
import { ServerText } from '../ui/server-text.js'
import { ImportProgress } from './import-progress.js'
import { ListLink } from './list-link.js'
import { isFinal } from './poll-import.js'
import { SearchLinks } from './search-links.js'
import { SkippedRows } from './skipped-rows.js'
import { TaskState } from './task-state.js'
import { WarningNotices } from './warning-notices.js'

export function ImportPage() {
  const t = useTexts()
  const id = Number(useParams({ from: '/frame/imports/$id' }).id)
  const { task, live } = useTask(id)
  const list = <Link to="/imports">{t.imports.one.toList}</Link>
  return (
    <Page
      title={t.imports.one.title(id)}
      above={list}
      beside={
        task.data && (
          <>
            <TaskState task={task.data} />
            {task.data.is_live && <Badge tone="good">{t.imports.live}</Badge>}
          </>
        )
      }
      actions={task.data && <Actions task={task.data} />}
    >
      <Loaded
        from={task}
        part="import-tasks"
        gone={{ what: t.imports.one.gone(id), link: list }}
        skeleton={<Skeleton lines={14} />}
      >
        {(data) => <Report task={data} live={live} />}
      </Loaded>
    </Page>
  )
}

function Actions({ task: { id, status } }: { task: Task }) {
  const t = useTexts()
  const navigate = useNavigate()
  const mayAct = useMay('manager')
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useSend('POST /import-tasks/:id/cancel', { stale: staleTasks, onDone: () => setIsAsking(false) })
  const retry = useSend('POST /import-tasks/:id/retry', {
    stale: staleTasks,
    onDone: (next) => void navigate({ to: '/imports/$id', params: { id: String(next.id) } }),
  })
  return (
    <>
      {retry.error !== null && <RefusalNotice error={retry.error} />}
      {mayAct && !isFinal({ status }) && (
        <Button isWrite onClick={() => setIsAsking(true)}>
          {t.imports.one.cancel}
        </Button>
      )}
      {mayAct && status === 'failed' && (
        <Button icon="refresh" isWrite isBusy={retry.isPending} onClick={() => retry.mutate({ params: { id } })}>
          {t.imports.one.retry}
        </Button>
      )}
      <a className={buttonClass()} href={`${prefix}/api/admin/import-tasks/${id}/file`} download>
        <Icon name="download" />
        {t.imports.one.download}
      </a>
      {isAsking && (
        <Confirm
          title={t.imports.one.cancelTitle}
          act={t.imports.one.cancelAct}
          isBusy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate({ params: { id } })}
          onClose={() => setIsAsking(false)}
        >
          <p>{t.imports.one.cancelText}</p>
        </Confirm>
      )}
    </>
  )
}

function Report({ task, live }: { task: Task; live: LiveState }) {
  const t = useTexts()
  const list = useListNames()?.find(({ id }) => id === task.price_list_id)
  return (
    <>
      {task.is_live && list?.is_active && <NotInSearchNotice storageId={list.storage_id} />}
      {task.status === 'failed' && task.error_message !== null && (
        <Notice tone="danger" title={t.imports.one.why}>
          <p>
            <ServerText text={task.error_message} />
          </p>
          {task.error_code === 'TOO_FEW_ROWS' && <GuardHint listId={task.price_list_id} />}
        </Notice>
      )}
      <WarningNotices warnings={task.warnings} />
      {!isFinal(task) && <ImportProgress task={task} live={live} />}
      <Panel>
        <TaskFacts task={task} />
        <SearchLinks task={task} />
      </Panel>
      <SkippedRows task={task} />
    </>
  )
}

function TaskFacts({ task }: { task: Task }) {
  const t = useTexts()
  const formats = useFormats()
  const names = useListNames()
  const { created_by: by } = task
  const starter =
    by === null
      ? t.general.none
      : typeof by === 'number'
        ? t.imports.one.bySource(by)
        : by === 'partner'
          ? t.imports.one.byPartner
          : by === 'admin'
            ? t.shell.person.token
            : by
  return (
    <Facts
      facts={[
        {
          name: t.imports.priceList,
          value: <ListLink id={task.price_list_id} names={names} />,
        },
        { name: t.imports.file, value: task.file_name },
        { name: t.imports.one.size, value: formats.size(task.file_size) },
        { name: t.imports.source, value: t.tasks.sources[task.source_type] },
        { name: t.imports.one.by, value: starter },
        // a service of an earlier version leaves fields out
        ...(typeof task.retry_of === 'number'
          ? [{ name: t.imports.one.retryOf, value: <ImportLink id={task.retry_of} /> }]
          : []),
        { name: t.imports.one.created, value: <Time at={task.created_at} /> },
        {
          name: t.imports.one.finished,
          value: task.completed_at === null ? t.general.none : <Time at={task.completed_at} />,
        },
        { name: t.imports.one.total, value: formats.number(task.total_rows) },
        { name: t.imports.one.imported, value: formats.number(task.imported_rows) },
        { name: t.imports.one.skipped, value: formats.number(task.skipped_rows) },
        typeof task.merged_into === 'number'
          ? { name: t.imports.one.mergedInto, value: <ImportLink id={task.merged_into} /> }
          : { name: t.imports.one.liveRows, value: formats.number(task.live_rows) },
        {
          name: t.imports.speed,
          value: task.rows_per_second === null ? t.general.none : formats.number(task.rows_per_second),
        },
      ]}
    />
  )
}

function ImportLink({ id }: { id: number }) {
  const t = useTexts()
  return (
    <Link to="/imports/$id" params={{ id: String(id) }}>
      {t.imports.one.title(id)}
    </Link>
  )
}

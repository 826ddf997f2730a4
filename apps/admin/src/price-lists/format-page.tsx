import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useMay } from '../calls/session.js'
import { AnswerError } from '@partsbus/client/answer-error'
import { hasSkippedColumns } from '@partsbus/contracts/pricing-import/skipped-columns'
import { useCall } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Notice, Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Skeleton } from '../ui/state.js'
import { UnsavedGuard } from '../ui/unsaved-guard.js'
import { useDraft } from '../ui/use-draft.js'
import { FormatActions } from './format-actions.js'
import { FormatFields } from './format-fields.js'
import { MappingTable } from './mapping-table.js'
import { asMerged } from './preview-doubts.js'
import { PreviewSummary } from './preview-summary.js'
import { type FilePreview, type PriceList, useImportPreviewed, usePreview } from './price-list-calls.js'
import { PriceListFrame } from './price-list-frame.js'
import { UploadArea } from './upload-area.js'

/** A change is previewed after a pause, ms. */
const PAUSE_MS = 400

type Format = PriceList['format']

/** A real file beside what is read from it. */
export function FormatPage() {
  const id = Number(useParams({ from: '/frame/price-lists/$id/format' }).id)
  return (
    <PriceListFrame id={id}>{(list, revision) => <Mapping key={id} list={list} revision={revision} />}</PriceListFrame>
  )
}

function Mapping({ list, revision }: { list: PriceList; revision: string | null }) {
  const t = useTexts()
  const { preview: previewId, task } = useSearch({ from: '/frame/price-lists/$id/format' })
  const mayChange = useMay('manager')
  const file = useMemo(
    () => (previewId !== '' ? { preview_id: previewId } : task === undefined ? undefined : { task_id: task }),
    [previewId, task],
  )
  const form = useDraft<Format>(list.format, revision)
  const { draft: format, replace: setFormat } = form
  const settled = useSettled(format)
  const preview = usePreview(list.id, file, { format: settled })
  return (
    <>
      {file !== undefined && <p className="muted">{t.priceLists.format.lead}</p>}
      {file === undefined ? (
        <ChooseFile listId={list.id} />
      ) : (
        <>
          <PreviewError error={preview.error} listId={list.id} />
          {preview.data === undefined && preview.error === null && <Skeleton lines={16} />}
          {preview.data && (
            <>
              <Panel title={`${t.priceLists.format.file}: ${preview.data.file.name}`}>
                <FormatFields preview={preview.data} format={format} onChange={setFormat} />
              </Panel>
              <MappingTable
                preview={preview.data}
                columns={format.columns ?? {}}
                isStale={preview.isFetching || settled !== format}
                onChange={(columns) => setFormat({ ...format, columns })}
              />
              <PreviewSummary preview={isLeftOver(list, preview.data) ? asMerged(preview.data) : preview.data} />
              {mayChange && isLeftOver(list, preview.data) && (
                <MergeOnce listId={list.id} previewId={preview.data.preview_id} />
              )}
              {mayChange && !isLeftOver(list, preview.data) && (
                <FormatActions
                  listId={list.id}
                  form={form}
                  preview={preview.data}
                  isSettled={settled === format && !preview.isFetching}
                />
              )}
            </>
          )}
        </>
      )}
      <UnsavedGuard changes={form.changes} />
    </>
  )
}

/** A file of skipped rows would become the whole of a list that replaces. */
const isLeftOver = ({ mode }: PriceList, { header }: FilePreview): boolean =>
  mode === 'replace' && header !== null && hasSkippedColumns(header.cells)

function MergeOnce({ listId, previewId }: { listId: number; previewId: string }) {
  const t = useTexts()
  const words = t.priceLists.format
  const navigate = useNavigate()
  const start = useImportPreviewed(
    listId,
    ({ task_id }) => void navigate({ to: '/imports/$id', params: { id: String(task_id) } }),
  )
  return (
    <>
      {start.error !== null && <RefusalNotice error={start.error} />}
      <Notice tone="warning" title={words.leftOver}>
        <p>{words.leftOverText}</p>
        <div className="actions">
          <Button onClick={() => void navigate({ to: '/price-lists/$id', params: { id: String(listId) } })}>
            {t.general.cancel}
          </Button>
          <Button
            kind="primary"
            isWrite
            isBusy={start.isPending}
            onClick={() => start.mutate({ preview_id: previewId, mode: 'merge' })}
          >
            {words.mergeOnce}
          </Button>
        </div>
      </Notice>
    </>
  )
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

function ChooseFile({ listId }: { listId: number }) {
  const t = useTexts()
  const navigate = useNavigate({ from: '/price-lists/$id/format' })
  const mayUpload = useMay('manager')
  const last = useCall('GET /import-tasks', { query: { price_list_id: listId, per_page: 1 } }).data?.data[0]
  return (
    <Panel>
      <div className="stack">
        {mayUpload && <UploadArea listId={listId} text={t.priceLists.format.noFile} />}
        {last && (
          <p>
            <Button onClick={() => void navigate({ search: { task: last.id } })}>{t.priceLists.format.lastFile}</Button>
          </p>
        )}
      </div>
    </Panel>
  )
}

function PreviewError({ error, listId }: { error: unknown; listId: number }) {
  const t = useTexts()
  if (error === null) return null
  const isExpired = error instanceof AnswerError && (error.status === 404 || error.status === 409)
  return (
    <div className="stack">
      {isExpired ? <Notice tone="warning" title={t.priceLists.format.expired} /> : <RefusalNotice error={error} />}
      <UploadArea listId={listId} text={t.priceLists.format.noFile} />
    </div>
  )
}

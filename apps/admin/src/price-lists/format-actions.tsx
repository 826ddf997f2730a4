import type { SentBody } from '@partsbus/contracts/http/calls'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { conflictOf } from '../calls/query-client.js'
import { useWrite } from '../calls/use-call.js'
import { admin } from '../calls/admin-client.js'
import { WarningNotices } from '../imports/warning-notices.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { changedPaths } from '../ui/changed-paths.js'
import { Confirm } from '../ui/confirm.js'
import { ConflictDialog } from '../ui/conflict-dialog.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { toast } from '../ui/toast.js'
import type { useDraft } from '../ui/use-draft.js'
import { formatLabels } from './format-labels.js'
import { GuardHint } from './guard-hint.js'
import { doubtsOf } from './preview-doubts.js'
import { type FilePreview, type PriceList, useImportPreviewed, staleLists } from './price-list-calls.js'

type Format = PriceList['format']

interface ActionsProps {
  listId: number
  form: ReturnType<typeof useDraft<Format>>
  preview: FilePreview
  /** what is shown belongs to the format as it is now */
  isSettled: boolean
}

/** Saves the format, and imports the file; what would do harm is asked about. */
export function FormatActions({ listId, form, preview, isSettled }: ActionsProps) {
  const t = useTexts()
  const navigate = useNavigate()
  const [isOther, setIsOther] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const doubts = doubtsOf(preview)
  const save = useWrite(
    (change: { body: SentBody<'PATCH /price-lists/:id'>; ifMatch: string | undefined }) =>
      admin.exchange('PATCH /price-lists/:id', { params: { id: listId }, ...change }),
    { stale: staleLists },
  )
  const readAgain = useWrite(() => admin('GET /price-lists/:id', { params: { id: listId } }), {
    stale: ['GET /price-lists/:id'],
  })
  const start = useImportPreviewed(
    listId,
    ({ task_id }) => void navigate({ to: '/imports/$id', params: { id: String(task_id) } }),
  )
  const { isDirty } = form
  const conflict = conflictOf(save.error)
  const error = (conflict ? null : save.error) ?? readAgain.error ?? start.error
  const isImportable = preview.problem === undefined && preview.totals.importable > 0
  const isTooShort = isImportable && preview.guard === 'fails'
  /** The import reads the file by the stored format, which has to be the one that is shown. */
  const isStored = async (): Promise<boolean> =>
    changedPaths(form.base, (await readAgain.mutateAsync(undefined)).format).length === 0
  const store = async (draft: Format, revision: string | null): Promise<void> => {
    const { answer, etag } = await save.mutateAsync({ body: { format: draft }, ifMatch: revision ?? undefined })
    form.saved(answer.format, etag, undefined, draft)
  }
  const run = async (withImport: boolean): Promise<void> => {
    setIsOther(false)
    setIsAsking(false)
    if (isDirty) await store(form.draft, form.revision)
    else if (!(await isStored())) return setIsOther(true)
    if (withImport) start.mutate({ preview_id: preview.preview_id })
    else toast(t.priceLists.format.saved)
  }
  const importIt = () => void run(true).catch(() => undefined)
  const isBusy = save.isPending || readAgain.isPending || start.isPending
  return (
    <div className="stack">
      {error !== null && <RefusalNotice error={error} />}
      {isOther && <Notice tone="warning" title={t.states.conflict.title} />}
      {conflict && (
        <ConflictDialog
          form={form}
          conflict={conflict}
          labels={formatLabels(t)}
          readCurrent={(current) => (current as PriceList).format}
          onSave={(next, _current, revision) =>
            void store(next, revision).then(
              () => toast(t.priceLists.format.saved),
              () => undefined,
            )
          }
          onClose={save.reset}
        />
      )}
      {isDirty && <p className="muted">{t.priceLists.format.changedHere}</p>}
      {isTooShort && <GuardHint id="too-short" listId={listId} />}
      <div className="actions">
        <Button disabled={!isDirty} onClick={form.discard}>
          {t.general.discard}
        </Button>
        {isDirty && (
          <Button isWrite isBusy={isBusy} disabled={!isSettled} onClick={() => void run(false).catch(() => undefined)}>
            {t.priceLists.format.save}
          </Button>
        )}
        <Button
          kind="primary"
          isWrite
          isBusy={isBusy}
          disabled={!isSettled || !isImportable || isTooShort}
          aria-describedby={isTooShort ? 'too-short' : undefined}
          onClick={() => (doubts.length > 0 ? setIsAsking(true) : importIt())}
        >
          {isDirty ? t.priceLists.format.saveAndImport : t.priceLists.format.importIt}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={t.priceLists.format.doubts}
          act={t.priceLists.format.importAnyway}
          onConfirm={importIt}
          onClose={() => setIsAsking(false)}
        >
          <WarningNotices warnings={doubts} skipped={preview.skipped_by_code} />
          <p>
            {t.priceLists.format.doubtsText} {preview.live_rows > 0 && t.priceLists.format.doubtsBack}
          </p>
        </Confirm>
      )}
    </div>
  )
}

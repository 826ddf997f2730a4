import { AnswerError } from '@partsbus/client/answer-error'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { admin } from '../calls/admin-client.js'
import { useCall, useWrite } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { offersOfOtherFiles } from './preview-doubts.js'
import { type FilePreview, type PriceList, useImportPreviewed } from './price-list-calls.js'
import { isUnapplied } from './version-settings.js'

interface ApplyNowProps {
  list: PriceList
  /** The form differs from what would be applied. */
  isDirty: boolean
  /** The settings were changed here, and not applied since. */
  isChanged: boolean
}

/**
 * Makes the live offers again of their file, with the present settings of the list. Where other files brought some of
 * them, this file alone is merged, and only after a question.
 */
export function ApplyNow({ list, isDirty, isChanged }: ApplyNowProps) {
  const { id, is_active } = list
  const words = useTexts().priceLists.settings.apply
  const navigate = useNavigate()
  const versions = useCall('GET /price-lists/:id/versions', { params: { id } })
  const live = versions.data?.find((version) => version.is_active)
  const [asked, setAsked] = useState<FilePreview>()
  const start = useImportPreviewed(
    id,
    ({ task_id }) => void navigate({ to: '/imports/$id', params: { id: String(task_id) } }),
  )
  const read = useWrite((task_id: number) => admin('POST /price-lists/:id/preview', againOf(id, task_id)), {
    onDone: (preview) =>
      offersOfOtherFiles(preview) > 0 ? setAsked(preview) : start.mutate({ preview_id: preview.preview_id }),
  })
  const error = read.error ?? start.error
  if (live === undefined || !is_active) return null
  const button = (
    <Button
      isSmall
      isWrite
      icon="refresh"
      isBusy={read.isPending || start.isPending}
      disabled={isDirty}
      onClick={() => read.mutate(live.task_id)}
    >
      {words.act}
    </Button>
  )
  const isOlder = isUnapplied(versions.data ?? [], list, isChanged)
  return (
    <div className="stack-tight">
      {isOlder && !isDirty ? (
        <Notice tone="warning" title={words.unapplied}>
          <p>{button}</p>
        </Notice>
      ) : (
        <div className="row">
          {button}
          {isDirty && <span className="muted small">{words.saveFirst}</span>}
        </div>
      )}
      {error !== null &&
        (isFileGone(read.error) ? <Notice tone="warning" title={words.fileGone} /> : <RefusalNotice error={error} />)}
      {asked && (
        <Confirm
          title={words.part}
          act={words.partAct}
          isDangerous={false}
          onConfirm={() => {
            setAsked(undefined)
            start.mutate({ preview_id: asked.preview_id, mode: 'merge' })
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.partText(asked.totals.importable, offersOfOtherFiles(asked))}</p>
        </Confirm>
      )}
    </div>
  )
}

const againOf = (id: number, task_id: number) => ({ params: { id }, body: { file: { task_id } } })

/** Its import is no longer kept, or the file of it is not. */
const isFileGone = (error: unknown): boolean =>
  error instanceof AnswerError && (error.status === 409 || error.status === 422)

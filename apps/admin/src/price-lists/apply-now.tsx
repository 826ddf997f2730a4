import { AnswerError } from '@partsbus/client/answer-error'
import { useNavigate } from '@tanstack/react-router'
import { admin } from '../calls/admin-client.js'
import { useCall, useWrite } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { type PriceList, staleLists } from './price-list-calls.js'

interface ApplyNowProps {
  list: PriceList
  /** The form differs from what would be applied. */
  isDirty: boolean
  /** The live offers are known to be older than the settings. */
  isUnapplied: boolean
}

/** Makes the live offers again of their file, with the present settings of the list. */
export function ApplyNow({ list: { id, is_active }, isDirty, isUnapplied }: ApplyNowProps) {
  const words = useTexts().priceLists.settings.apply
  const navigate = useNavigate()
  const versions = useCall('GET /price-lists/:id/versions', { params: { id } })
  const live = versions.data?.find((version) => version.is_active)
  const apply = useWrite((taskId: number) => importAgain(id, taskId), {
    stale: [...staleLists, 'GET /import-tasks'],
    onDone: ({ task_id }) => void navigate({ to: '/imports/$id', params: { id: String(task_id) } }),
  })
  if (live === undefined || !is_active) return null
  const button = (
    <Button
      isSmall
      isWrite
      icon="refresh"
      isBusy={apply.isPending}
      disabled={isDirty}
      onClick={() => apply.mutate(live.task_id)}
    >
      {words.act}
    </Button>
  )
  return (
    <div className="stack-tight">
      {isUnapplied && !isDirty ? (
        <Notice tone="warning" title={words.unapplied}>
          <p>{button}</p>
        </Notice>
      ) : (
        <div className="row">
          {button}
          {isDirty && <span className="muted small">{words.saveFirst}</span>}
        </div>
      )}
      {apply.error !== null &&
        (isFileGone(apply.error) ? (
          <Notice tone="warning" title={words.fileGone} />
        ) : (
          <RefusalNotice error={apply.error} />
        ))}
    </div>
  )
}

/** What other files brought stays: where this one alone is not the whole list, it is merged. */
async function importAgain(id: number, task_id: number): Promise<{ task_id: number }> {
  const { preview_id, changes } = await admin('POST /price-lists/:id/preview', {
    params: { id },
    body: { file: { task_id } },
  })
  const isPart = changes !== null && changes.gone > 0
  return admin('POST /price-lists/:id/upload', {
    params: { id },
    body: { preview_id, ...(isPart && { mode: 'merge' as const }) },
  })
}

/** Its import is no longer kept, or the file of it is not. */
const isFileGone = (error: unknown): boolean =>
  error instanceof AnswerError && (error.status === 409 || error.status === 422)

import { AnswerError } from '@partsbus/client/answer-error'
import type { FormEvent, ReactNode } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { ConflictDialog } from './conflict-dialog.js'
import { RefusalNotice } from './refusal.js'
import { UnsavedGuard } from './unsaved-guard.js'
import type { BodyCheck } from './use-body-check.js'
import type { useDraft } from './use-draft.js'
import { ViolationsProvider, ViolationsSummary } from './violations.js'

interface EditFormProps<Draft> {
  form: ReturnType<typeof useDraft<Draft>>
  /** Path → the name a person knows. */
  labels: Record<string, string>
  error: unknown
  /** What would be sent now: each field is checked when it is left. */
  check?: BodyCheck
  isBusy: boolean
  /** It can be saved: the role may, and every value can be read. */
  isReady: boolean
  /** A new thing can be saved without a change. */
  isNew?: boolean
  submitText?: string
  onSave: () => void
  /** The stored value from an answer 412, as a draft. */
  readCurrent?: (current: unknown) => Draft
  /** After a conflict: the draft goes on from the newer revision. */
  onResolve?: (next: Draft) => void
  /** The conflict is left as it is: the draft keeps its revision, so that saving it asks again. */
  onDismiss?: () => void
  children: ReactNode
}

/** A form over what is stored: its violations, a refusal, a conflict, and unsaved changes. */
export function EditForm<Draft>({
  form,
  labels,
  error,
  check,
  isBusy,
  isReady,
  isNew = false,
  submitText,
  onSave,
  readCurrent,
  onResolve,
  onDismiss,
  children,
}: EditFormProps<Draft>) {
  const t = useTexts()
  const conflict = error instanceof AnswerError && error.status === 412 ? error : undefined
  const canSave = isReady && (isNew || form.isDirty)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canSave) onSave()
  }
  return (
    <ViolationsProvider error={error} check={check}>
      <form className="stack" onSubmit={submit}>
        <ViolationsSummary labels={labels} />
        {error !== null && !conflict && <RefusalNotice error={error} />}
        {children}
        {/* an unreadable value keeps the buttons: it can be discarded */}
        {(isReady || form.isDirty) && (
          <div className="actions">
            {form.isDirty && !isNew && <span className="muted small">{t.general.changes(form.changed.length)}</span>}
            {!isNew && (
              <Button disabled={!form.isDirty} onClick={form.discard}>
                {t.general.discard}
              </Button>
            )}
            <Button type="submit" kind="primary" isWrite isBusy={isBusy} disabled={!canSave}>
              {submitText ?? t.general.save}
            </Button>
          </div>
        )}
      </form>
      <UnsavedGuard changes={isBusy ? 0 : form.changed.length} />
      {conflict && readCurrent && onResolve && onDismiss && (
        <ConflictDialog
          base={form.base}
          draft={form.draft}
          current={readCurrent(conflict.current)}
          labels={labels}
          onClose={onDismiss}
          onResolve={onResolve}
        />
      )}
    </ViolationsProvider>
  )
}

import type { FormEvent, ReactNode } from 'react'
import { conflictOf } from '../calls/query-client.js'
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
  /** In a dialog: closes it. */
  onCancel?: () => void
  /** The stored value from an answer 412, as a draft. Set where the value has a revision. */
  readCurrent?: (current: unknown) => Draft
  /** Saves a draft over the stored value of an answer 412. Set with `readCurrent`. */
  onSaveOver?: (next: Draft, current: Draft, revision: string | null) => void
  /** The conflict is over: resolved, or left as it is, so that saving the draft asks again. */
  onConflictOver?: () => void
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
  onCancel,
  readCurrent,
  onSaveOver,
  onConflictOver,
  children,
}: EditFormProps<Draft>) {
  const t = useTexts()
  const conflict = conflictOf(error)
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
            {form.isDirty && !isNew && <span className="muted small">{t.general.changes(form.changes)}</span>}
            {onCancel && <Button onClick={onCancel}>{t.general.cancel}</Button>}
            {!isNew && !onCancel && (
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
      <UnsavedGuard changes={isBusy ? 0 : form.changes} />
      {conflict && readCurrent && onSaveOver && onConflictOver && (
        <ConflictDialog
          form={form}
          conflict={conflict}
          labels={labels}
          readCurrent={readCurrent}
          onSave={onSaveOver}
          onClose={onConflictOver}
        />
      )}
    </ViolationsProvider>
  )
}

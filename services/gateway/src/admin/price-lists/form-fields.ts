import { MAX_DRAFT_BYTES, mergeOnce, type PreviewDraft, previewDraft } from '@partsbus/contracts/pricing-import/preview'
import { describeIssues, notAllowed, type Violations } from '@partsbus/contracts/violation'
import type { ReceivedForm } from '../../uploads/receive-form.js'

/** The fields of a form beside its document. */
export interface FormFields {
  draft?: PreviewDraft
  mode?: 'merge'
}

/** Reads `draft` (JSON) and `mode`. Blank fields count as absent. Violations are added to `violations`. */
export function readFormFields(form: Pick<ReceivedForm, 'draft' | 'mode'>, violations: Violations): FormFields {
  const draft = readDraft(form.draft, violations)
  const mode = form.mode?.trim() === '' ? undefined : form.mode
  const merges = mode === undefined ? undefined : mergeOnce.safeParse(mode)
  if (merges?.success === false) violations['mode'] = [notAllowed('mode', mergeOnce.options)]
  return { ...(draft && { draft }), ...(merges?.success && { mode: merges.data }) }
}

function readDraft(sent: ReceivedForm['draft'], violations: Violations): PreviewDraft | undefined {
  if (sent === undefined || sent.text.trim() === '') return undefined
  if (sent.isCut) {
    violations['draft'] = [`The draft must not be greater than ${MAX_DRAFT_BYTES} bytes.`]
    return undefined
  }
  let value: unknown
  try {
    value = JSON.parse(sent.text)
  } catch {
    violations['draft'] = ['The draft must be valid JSON.']
    return undefined
  }
  const result = previewDraft.safeParse(value)
  if (!result.success) describeIssues(result.error.issues, value, 'draft', violations)
  return result.data
}

import type { JsonPath, ReceivedAnswer, SentBody, SentParams } from '@partsbus/contracts/http/calls'
import type { Exchange } from '@partsbus/client/transport'
import { useMemo } from 'react'
import { exchange, useWrite, type WriteOptions } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { useDraft } from './use-draft.js'

/** A call that saves. */
type SavePath = Extract<JsonPath, `POST ${string}` | `PATCH ${string}`>

interface Change<Path extends SavePath> {
  body: SentBody<Path>
  ifMatch: string | undefined
}

interface ResourceFormOptions<Path extends SavePath, Draft> {
  /** The call that saves. Each field that is left is checked by its schema. */
  path: Path
  params?: SentParams<Path> | undefined
  /** what is stored; undefined: it is new, and its draft begins as `blank` */
  resource: ReceivedAnswer<Path> | undefined
  revision?: string | null
  /** not made anew by each render: the draft is made again with it */
  toDraft: (resource: ReceivedAnswer<Path>) => Draft
  blank?: Draft
  /** What would be sent, and the fields that cannot be read. */
  read: (draft: Draft, base: Draft) => { body: SentBody<Path>; invalid?: readonly string[] }
  /** Path → the name a person knows. */
  labels: Record<string, string>
  mayChange?: boolean
  /** The form is left when it is saved, as in a dialog. */
  isLeft?: boolean
  stale: WriteOptions<unknown, unknown>['stale']
  /** In place of the call of `path`. */
  send?: (change: Change<Path>) => Promise<Exchange<ReceivedAnswer<Path>>>
  /** Parts of a draft under the names that they have once it is saved. */
  rename?: (draft: Draft, sent: Draft, saved: Draft) => Draft
  onSaved: (resource: ReceivedAnswer<Path>) => void
}

/** For `<TextFields>`, and for what else edits a draft. */
export interface FormFields<Draft> {
  draft: Draft
  labels: Record<string, string>
  changed: readonly string[]
  errors: Record<string, string>
  isDisabled: boolean
  onChange: (part: Partial<Draft>) => void
}

/**
 * A form over a resource: its draft, how it is saved with the revision that was seen, and what follows from the answer.
 * `<EditForm {...edit}>` shows it, with `<TextFields {...fields} names={['name']} />` in it.
 */
export function useResourceForm<Path extends SavePath, Draft>({
  path,
  params,
  resource,
  revision = null,
  toDraft,
  blank,
  read,
  labels,
  mayChange = true,
  isLeft = false,
  stale = [],
  send = ({ body, ifMatch }) => exchange(path, { params, body, ifMatch }),
  rename = (draft) => draft,
  onSaved,
}: ResourceFormOptions<Path, Draft>) {
  const t = useTexts()
  const stored = useMemo(
    () => (resource === undefined ? (blank as Draft) : toDraft(resource)),
    [resource, toDraft, blank],
  )
  const form = useDraft(stored, revision)
  const { body, invalid = [] } = read(form.draft, form.base)
  const save = useWrite(send, { stale, onDone: ({ answer }) => onSaved(answer) })
  const keepEditing =
    (sent: Draft) =>
    ({ answer, etag }: Exchange<ReceivedAnswer<Path>>) => {
      const saved = toDraft(answer)
      form.saved(saved, etag, (draft) => rename(draft, sent, saved), sent)
    }
  const saveDraft = (draft: Draft, body: SentBody<Path>, revision: string | null) =>
    save.mutate({ body, ifMatch: revision ?? undefined }, isLeft ? {} : { onSuccess: keepEditing(draft) })
  const edit = {
    form,
    labels,
    error: save.error as unknown,
    check: { path, body },
    isBusy: save.isPending || (isLeft && save.isSuccess),
    isReady: mayChange && invalid.length === 0,
    isNew: resource === undefined,
    onSave: () => saveDraft(form.draft, body, form.revision),
    ...(revision !== null && {
      readCurrent: (current: unknown) => toDraft(current as ReceivedAnswer<Path>),
      onSaveOver: (next: Draft, current: Draft, newer: string | null) => {
        saveDraft(next, read(next, current).body, newer)
      },
      onConflictOver: save.reset,
    }),
  }
  const fields: FormFields<Draft> = {
    draft: form.draft,
    labels,
    changed: form.changed,
    errors: Object.fromEntries(invalid.map((name) => [name, t.general.noNumber])),
    isDisabled: !mayChange,
    onChange: form.change,
  }
  return { form, edit, fields, save, invalid }
}

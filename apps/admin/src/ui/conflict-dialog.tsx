import type { AnswerError } from '@partsbus/client/answer-error'
import { useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { changedPaths, mergeLists, valueAt, withValueAt, withValuesFrom } from './changed-paths.js'
import styles from './conflict-dialog.module.css'
import { Dialog } from './dialog.js'
import { showValue } from './shown-value.js'
import type { useDraft } from './use-draft.js'

interface ConflictDialogProps<Draft> {
  form: ReturnType<typeof useDraft<Draft>>
  conflict: AnswerError
  /** Path → the name a person knows. */
  labels: Record<string, string>
  /** The stored value from the answer, as a draft. */
  readCurrent: (current: unknown) => Draft
  /** Saves the draft over the stored value, where there was nothing to choose. */
  onSave: (next: Draft, current: Draft, revision: string | null) => void
  /** Forgets the refusal. A draft that was not resolved keeps its revision, so that saving it asks again. */
  onClose: () => void
}

type Side = 'mine' | 'theirs' | 'merged'

/**
 * After 412: both values of each field that both sides changed. Fields that one side changed need no choice. The draft
 * goes on from the value and the revision in the answer: what was read since may be newer than what was shown.
 */
export function ConflictDialog<Draft>({
  form,
  conflict,
  labels,
  readCurrent,
  onSave,
  onClose,
}: ConflictDialogProps<Draft>) {
  const t = useTexts()
  const words = t.states.conflict
  const { base, draft } = form
  const current = readCurrent(conflict.current)
  const mine = changedPaths(base, draft)
  const theirs = changedPaths(base, current)
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const both = mine
    .filter((path) => theirs.some((other) => `${other}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${other}.`)))
    .filter((path) => changedPaths(valueAt(current, path), valueAt(draft, path)).length > 0)
    .map((path) => {
      const merged = mergeLists(valueAt(base, path), valueAt(draft, path), valueAt(current, path))
      return { path, merged, side: chosen[path] ?? (merged ? 'merged' : 'mine') }
    })
  const isSafe = both.length === 0
  const resolve = () => {
    const taken = mine.filter((path) => !both.some((field) => field.path === path && field.side === 'theirs'))
    const merged = both.filter(({ side }) => side === 'merged')
    const next = withValuesFrom(current, draft, taken)
    const resolved = merged.reduce((value, field) => withValueAt(value, field.path, field.merged), next)
    form.rebase(current, conflict.etag, resolved)
    onClose()
    if (isSafe && changedPaths(current, resolved).length > 0) onSave(resolved, current, conflict.etag)
  }
  return (
    <Dialog
      isWide
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.general.cancel}</Button>
          <Button kind="primary" isWrite={isSafe} onClick={resolve}>
            {isSafe ? words.saveBoth : words.apply}
          </Button>
        </>
      }
    >
      <p>{isSafe ? words.noOverlap : words.text}</p>
      {both.map(({ path, merged, side }) => {
        const version = (of: Side, label: string, value: unknown) => (
          <Version
            label={label}
            text={showValue(value, path, t)}
            name={path}
            isChosen={side === of}
            onChoose={() => setChosen({ ...chosen, [path]: of })}
          />
        )
        return (
          <fieldset key={path} className={styles.field}>
            <legend>{labels[path] ?? path}</legend>
            {merged && version('merged', words.takeBoth, merged)}
            {version('theirs', words.takeTheirs, valueAt(current, path))}
            {version('mine', words.keepMine, valueAt(draft, path))}
          </fieldset>
        )
      })}
    </Dialog>
  )
}

function Version({
  label,
  text,
  name,
  isChosen,
  onChoose,
}: {
  label: string
  text: string
  name: string
  isChosen: boolean
  onChoose: () => void
}) {
  return (
    <label className={styles.version}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <span className={styles.value}>{text}</span>
        <span className="muted small">{label}</span>
      </span>
    </label>
  )
}

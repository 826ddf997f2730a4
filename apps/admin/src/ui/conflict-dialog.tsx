import { useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { changedPaths, valueAt, withValueAt } from './changed-paths.js'
import styles from './conflict-dialog.module.css'
import { Dialog } from './dialog.js'
import { showValue } from './shown-value.js'

interface ConflictDialogProps<Value> {
  /** The stored value that the draft was made of. */
  base: Value
  draft: Value
  /** As the answer 412 has it. */
  current: Value
  /** Path → the name a person knows. */
  labels: Record<string, string>
  /** The draft over the newer value, to be saved on its revision. */
  onResolve: (next: Value) => void
  onClose: () => void
}

/** After 412: both values of each field that both sides changed. Fields that one side changed need no choice. */
export function ConflictDialog<Value>({
  base,
  draft,
  current,
  labels,
  onResolve,
  onClose,
}: ConflictDialogProps<Value>) {
  const t = useTexts()
  const words = t.states.conflict
  const mine = changedPaths(base, draft)
  const theirs = changedPaths(base, current)
  const both = mine.filter((path) =>
    theirs.some((other) => other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`)),
  )
  const [kept, setKept] = useState<Record<string, 'mine' | 'theirs'>>({})
  const resolve = () => {
    const paths = mine.filter((path) => !both.includes(path) || kept[path] !== 'theirs')
    onResolve(paths.reduce((next, path) => withValueAt(next, path, valueAt(draft, path)), current))
  }
  return (
    <Dialog
      isWide
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.general.cancel}</Button>
          <Button kind="primary" onClick={resolve}>
            {words.apply}
          </Button>
        </>
      }
    >
      <p>{both.length > 0 ? words.text : words.noOverlap}</p>
      {both.map((path) => (
        <fieldset key={path} className={styles.field}>
          <legend>{labels[path] ?? path}</legend>
          <Version
            label={words.takeTheirs}
            text={showValue(valueAt(current, path), path, t)}
            name={path}
            isChosen={kept[path] === 'theirs'}
            onChoose={() => setKept({ ...kept, [path]: 'theirs' })}
          />
          <Version
            label={words.keepMine}
            text={showValue(valueAt(draft, path), path, t)}
            name={path}
            isChosen={kept[path] !== 'theirs'}
            onChoose={() => setKept({ ...kept, [path]: 'mine' })}
          />
        </fieldset>
      ))}
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

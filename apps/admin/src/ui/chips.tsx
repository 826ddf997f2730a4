import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import styles from './chips.module.css'
import { Field } from './field.js'
import { Icon } from './icon.js'
import { endsWith, NOTHING_TYPED, readTyped, splitValues } from './typed-values.js'

interface ChipsProps {
  label: ReactNode
  path?: string
  hint?: ReactNode
  values: string[]
  onChange: (values: string[]) => void
  isChanged: boolean
}

/**
 * A list of short texts. Enter adds one; what is pasted is split at lines, commas and tabs. What stands in the field is
 * part of the list at once. It becomes a chip by Enter, by the button, or when it was saved: a chip that appeared when
 * the field is left would move the button under the mouse that saves.
 */
export function Chips({ label, path, hint, values, onChange, isChanged }: ChipsProps) {
  const t = useTexts()
  const [typed, setTyped] = useState(NOTHING_TYPED)
  const [isFocused, setIsFocused] = useState(false)
  const isTyping = endsWith(values, typed) && (isChanged || isFocused || typed.values.length === 0)
  const { text, values: pending } = isTyping ? typed : NOTHING_TYPED
  const kept = values.slice(0, values.length - pending.length)
  const type = (next: string) => {
    const read = readTyped(next, kept)
    setTyped(read)
    if (read.values.join('\n') !== pending.join('\n')) onChange([...kept, ...read.values])
  }
  const add = () => setTyped(NOTHING_TYPED)
  return (
    <Field label={label} path={path} hint={hint ?? t.kit.chips.paste} isChanged={isChanged}>
      {(control) => (
        <div className={styles.box}>
          {kept.length > 0 && (
            <ul className={styles.chips}>
              {kept.map((value) => (
                <li key={value} className={styles.chip}>
                  {value}
                  <button
                    type="button"
                    aria-label={t.kit.select.remove(value)}
                    onClick={() => onChange(values.filter((other) => other !== value))}
                  >
                    <Icon name="close" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div className={styles.line}>
            <input
              {...control}
              value={text}
              autoComplete="off"
              onFocus={() => {
                setIsFocused(true)
                if (!isTyping) setTyped(NOTHING_TYPED)
              }}
              onBlur={() => setIsFocused(false)}
              onChange={(event) => type(event.target.value)}
              onPaste={(event) => {
                const pasted = event.clipboardData.getData('text')
                if (splitValues(pasted).length < 2) return
                event.preventDefault()
                onChange([...values, ...readTyped(pasted, values).values])
                add()
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && text.trim() !== '') {
                  event.preventDefault()
                  add()
                }
                if (event.key === 'Backspace' && text === '') onChange(values.slice(0, -1))
              }}
            />
            <Button isSmall icon="add" disabled={text.trim() === ''} onClick={add}>
              {t.kit.chips.add}
            </Button>
          </div>
        </div>
      )}
    </Field>
  )
}

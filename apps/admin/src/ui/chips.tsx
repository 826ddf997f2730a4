import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import styles from './chips.module.css'
import { Field } from './field.js'
import { Icon } from './icon.js'

interface ChipsProps {
  label: ReactNode
  path?: string
  hint?: ReactNode
  values: string[]
  onChange: (values: string[]) => void
  isChanged?: boolean
}

/** A list of short texts. Enter adds one; what is pasted is split at lines, commas and tabs. */
export function Chips({ label, path, hint, values, onChange, isChanged = false }: ChipsProps) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const added = splitValues(text).filter((value, at, all) => !values.includes(value) && all.indexOf(value) === at)
    if (added.length > 0) onChange([...values, ...added])
    setTyped('')
  }
  return (
    <Field label={label} path={path} hint={hint ?? t.kit.chips.paste} isChanged={isChanged}>
      {(control) => (
        <div className={styles.box}>
          {values.length > 0 && (
            <ul className={styles.chips}>
              {values.map((value) => (
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
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
              onPaste={(event) => {
                const text = event.clipboardData.getData('text')
                if (splitValues(text).length < 2) return
                event.preventDefault()
                add(text)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && typed.trim() !== '') {
                  event.preventDefault()
                  add(typed)
                }
                if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1))
              }}
            />
            <Button isSmall icon="add" disabled={typed.trim() === ''} onClick={() => add(typed)}>
              {t.kit.chips.add}
            </Button>
          </div>
        </div>
      )}
    </Field>
  )
}

const splitValues = (text: string) =>
  text
    .split(/[\n\r\t,;]+/)
    .map((value) => value.trim())
    .filter((value) => value !== '')

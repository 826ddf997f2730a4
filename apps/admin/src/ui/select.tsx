import type { ReactNode } from 'react'
import { useTexts } from '../texts/language.js'
import styles from './chips.module.css'
import { Field } from './field.js'
import { Icon } from './icon.js'
import { useSettledChoice } from './use-settled-choice.js'

export interface Option {
  value: number
  label: string
  /** A kind, a storage: what tells two equal names apart. */
  note?: string
}

interface CommonProps {
  label: ReactNode
  path?: string
  hint?: ReactNode
  options: Option[]
  isChanged?: boolean
  isDisabled?: boolean
}

const optionText = ({ label, note }: Option): string => (note === undefined ? label : `${label} (${note})`)

interface OneProps extends CommonProps {
  value: number | null
  onChange: (value: number | null) => void
}

/** One of many names, or none. */
export function Select({ value, options, isDisabled, onChange, ...field }: OneProps) {
  const t = useTexts()
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          disabled={isDisabled}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        >
          <option value="">{t.general.none}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {optionText(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface ManyProps extends CommonProps {
  values: number[]
  onChange: (values: number[]) => void
}

/** Several of many names, as chips in the order they were chosen. */
export function SelectMany({ values, options, isDisabled = false, onChange, ...field }: ManyProps) {
  const t = useTexts()
  const chosen = values.map((value) => options.find((option) => option.value === value) ?? { value, label: `${value}` })
  const free = options.filter(({ value }) => !values.includes(value))
  const choice = useSettledChoice('', (value) => onChange([...values, Number(value)]))
  return (
    <Field {...field}>
      {(control) => (
        <div className={styles.box}>
          {chosen.length > 0 && (
            <ul className={styles.chips}>
              {chosen.map(({ value, label }) => (
                <li key={value} className={styles.chip}>
                  {label}
                  {!isDisabled && (
                    <button
                      type="button"
                      aria-label={t.kit.select.remove(label)}
                      onClick={() => onChange(values.filter((other) => other !== value))}
                    >
                      <Icon name="close" />
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          <select {...control} disabled={isDisabled || free.length === 0} {...choice}>
            <option value="">
              {options.length === 0 ? t.kit.select.none : free.length === 0 ? t.kit.select.all : t.kit.select.add}
            </option>
            {free.map((option) => (
              <option key={option.value} value={option.value}>
                {optionText(option)}
              </option>
            ))}
          </select>
        </div>
      )}
    </Field>
  )
}

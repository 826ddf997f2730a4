import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { classNames } from './class-names.js'
import { Check, Field } from './field.js'
import styles from './filters.module.css'

/** How long a pause in typing is, ms. */
const PAUSE_MS = 300

/** The filters above a table, in one line where there is room. */
export const Filters = ({
  label,
  isInset = false,
  children,
}: {
  label: string
  /** Inside a panel whose table reaches the edges. */
  isInset?: boolean
  children: ReactNode
}) => (
  <div role="search" aria-label={label} className={classNames(styles.bar, isInset && styles.inset)}>
    {children}
  </div>
)

/** A text to look for: applied after a pause in typing, and at once by Enter. */
export function TextFilter({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string
  value: string
  placeholder?: string
  onChange: (value: string) => void
}) {
  const [state, setState] = useState({ typed: value, applied: value })
  // another URL, by back or by a link
  if (state.applied !== value) setState({ typed: value, applied: value })
  const apply = (text: string) => {
    if (text.trim() === value) return
    setState({ typed: text, applied: text.trim() })
    onChange(text.trim())
  }
  const applyLater = useEffectEvent(() => apply(state.typed))
  useEffect(() => {
    const timer = setTimeout(() => applyLater(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [state.typed])
  return (
    <div className={styles.wide}>
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            type="search"
            value={state.typed}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setState({ ...state, typed: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && apply(state.typed)}
          />
        )}
      </Field>
    </div>
  )
}

/** One of a few values, or all. */
export function ChoiceFilter<Value extends string>({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string
  /** The name of no choice. */
  all: string
  value: Value | undefined
  options: { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value ?? ''}
          onChange={(event) => onChange(options.find((option) => option.value === event.target.value)?.value)}
        >
          <option value="">{all}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface DayFilterProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

export function DayFilter({ label, value, onChange }: DayFilterProps) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )}
    </Field>
  )
}

export const CheckFilter = (props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) => (
  <div className={styles.check}>
    <Check {...props} />
  </div>
)

import { type ChangeEvent, type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { classNames } from './class-names.js'
import { Check, Field } from './field.js'
import styles from './filters.module.css'
import { parseNumber } from './formats.js'
import { useFormats } from './use-formats.js'

/** How long a pause in typing is, ms. */
const PAUSE_MS = 300
/** Of a price. */
const MOST = 1e12

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

interface TypedProps<Value> {
  value: Value
  show: (value: Value) => string
  /** undefined: what is typed is no value, and is not applied */
  read: (typed: string) => { value: Value } | undefined
  onChange: (value: Value) => void
}

/** What is typed into a filter: applied after a pause in typing, and at once by Enter. */
function useTyped<Value>({ value, show, read, onChange }: TypedProps<Value>) {
  const [state, setState] = useState({ typed: show(value), applied: value })
  // another URL, by back or by a link
  if (state.applied !== value) setState({ typed: show(value), applied: value })
  const apply = (typed: string) => {
    const next = read(typed)
    if (next === undefined || next.value === value) return
    setState({ typed, applied: next.value })
    onChange(next.value)
  }
  const applyLater = useEffectEvent(() => apply(state.typed))
  useEffect(() => {
    const timer = setTimeout(() => applyLater(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [state.typed])
  return {
    value: state.typed,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setState({ ...state, typed: event.target.value }),
    onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && apply(state.typed),
  }
}

/** A text to look for. */
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
  const typed = useTyped({ value, show: (text) => text, read: (text) => ({ value: text.trim() }), onChange })
  return (
    <div className={styles.wide}>
      <Field label={label}>
        {(control) => <input {...control} {...typed} type="search" placeholder={placeholder} />}
      </Field>
    </div>
  )
}

/** A price as people write it, or none. */
export function PriceFilter({
  label,
  value,
  onChange,
}: {
  label: string
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const formats = useFormats()
  const show = (price: number | undefined) => formats.shown(price?.toString() ?? '')
  const typed = useTyped({ value, show, read: readPrice, onChange })
  return <Field label={label}>{(control) => <input {...control} {...typed} inputMode="decimal" />}</Field>
}

/** With two decimals, as in the URL. */
function readPrice(typed: string): { value: number | undefined } | undefined {
  const price = parseNumber(typed)
  if (price === undefined) return { value: undefined }
  return price >= 0 && price < MOST ? { value: Math.round(price * 100) / 100 } : undefined
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

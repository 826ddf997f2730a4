import { type ReactNode, useId } from 'react'
import { useTexts } from '../texts/language.js'
import styles from './field.module.css'
import { Icon } from './icon.js'
import { ServerText } from './server-text.js'
import { fieldId, useFieldMessage } from './violations.js'

/** For the control: `<input {...control} />`. */
export interface ControlProps {
  id: string
  className: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface FieldProps {
  label: ReactNode
  /** Path in the body, like `supplier.base_url`: violations of it stand here. */
  path?: string
  /** Help for filling in the field. */
  hint?: ReactNode
  /** Found by the page itself; violations of the server come by `path`. */
  error?: string | undefined
  /** Differs from what is saved. */
  isChanged?: boolean
  isRequired?: boolean
  children: (control: ControlProps) => ReactNode
}

/** A label, a control, its hint and its error. */
export function Field({ label, path, hint, error, isChanged = false, isRequired = false, children }: FieldProps) {
  const t = useTexts()
  const own = useId()
  const id = path === undefined ? own : fieldId(path)
  const violation = useFieldMessage(path)
  const message = error ?? violation?.text
  const describedBy = [hint !== undefined && `${id}-hint`, message !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={styles.field} data-changed={isChanged || undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {isChanged && <span className={styles.dot} title={t.general.changes(1)} />}
      </label>
      {children({
        id,
        className: styles.control ?? '',
        'aria-describedby': describedBy || undefined,
        'aria-invalid': message === undefined ? undefined : true,
        'aria-required': isRequired || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {message !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="warning" />
          {error === undefined && violation ? <ServerText text={violation.text} /> : <span>{message}</span>}
        </p>
      )}
    </div>
  )
}

interface OptionFieldProps<Value extends string> extends Omit<FieldProps, 'children'> {
  value: Value
  options: ReadonlyArray<{ value: Value; label: string; lang?: string }>
  isDisabled?: boolean
  onChange: (value: Value) => void
}

/** A field whose control is a native `<select>`. */
export function OptionField<Value extends string>({
  value,
  options,
  isDisabled,
  onChange,
  ...field
}: OptionFieldProps<Value>) {
  const choose = (text: string) => onChange(options.find((option) => option.value === text)?.value ?? value)
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} disabled={isDisabled} value={value} onChange={({ target }) => choose(target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

interface CheckProps {
  label: ReactNode
  hint?: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
  /** Looks like a switch: it takes effect for others. */
  isSwitch?: boolean
}

export function Check({ label, hint, isOn, onChange, disabled, isSwitch = false }: CheckProps) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        className={isSwitch ? styles.switch : styles.box}
        checked={isOn}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** `<fieldset>` of radio buttons. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: ReactNode
  value: Value
  options: { value: Value; label: ReactNode }[]
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

import { Field } from './field.js'
import { useFormats } from './use-formats.js'

interface TextFieldsProps<Name extends string> {
  /** of the paths of violations, like `sources.0.` */
  prefix?: string
  names: readonly Name[]
  draft: Record<NoInfer<Name>, string>
  labels: Record<string, string>
  hints?: Partial<Record<Name, string>>
  changed: readonly string[]
  isDisabled: boolean
  isRequired?: readonly Name[]
  isLong?: readonly Name[]
  errors?: Partial<Record<Name, string | undefined>>
  inputMode?: 'decimal' | 'email' | 'tel' | 'url'
  onChange: (part: Partial<Record<Name, string>>) => void
}

/** Text fields of a form, one after the other. */
export function TextFields<Name extends string>({
  prefix = '',
  names,
  draft,
  labels,
  hints = {},
  changed,
  isDisabled,
  isRequired = [],
  isLong = [],
  errors = {},
  inputMode,
  onChange,
}: TextFieldsProps<Name>) {
  const formats = useFormats()
  const isNumber = inputMode === 'decimal'
  return names.map((name) => (
    <Field
      key={name}
      label={labels[name] ?? name}
      path={prefix + name}
      hint={hints[name]}
      error={errors[name]}
      isChanged={changed.includes(name)}
      isRequired={isRequired.includes(name)}
    >
      {(control) =>
        isLong.includes(name) ? (
          <textarea
            {...control}
            rows={3}
            disabled={isDisabled}
            value={draft[name]}
            onChange={(event) => onChange({ [name]: event.target.value } as Partial<Record<Name, string>>)}
          />
        ) : (
          <input
            {...control}
            inputMode={inputMode}
            autoComplete="off"
            disabled={isDisabled}
            value={isNumber ? formats.shown(draft[name]) : draft[name]}
            onChange={({ target: { value } }) =>
              onChange({ [name]: isNumber ? formats.typed(value) : value } as Partial<Record<Name, string>>)
            }
          />
        )
      }
    </Field>
  ))
}

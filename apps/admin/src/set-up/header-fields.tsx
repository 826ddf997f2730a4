import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Field } from '../ui/field.js'
import { KEPT_SECRET } from '../ui/kept-secret.js'
import { SecretField } from '../ui/secret-field.js'
import type { HeaderDraft } from './storage-draft.js'

interface HeaderFieldsProps {
  headers: HeaderDraft[]
  isOtherAddress: boolean
  isDisabled: boolean
  onChange: (headers: HeaderDraft[]) => void
}

/** The headers that are sent to a supplier; a stored value is never shown. */
export function HeaderFields({ headers, isOtherAddress, isDisabled, onChange }: HeaderFieldsProps) {
  const t = useTexts()
  const words = t.setUp.storages
  const change = (at: number, part: Partial<HeaderDraft>) =>
    onChange(headers.map((header, index) => (index === at ? { ...header, ...part } : header)))
  return (
    <fieldset className="stack" disabled={isDisabled}>
      <legend>{words.headers}</legend>
      <p className="muted small">{words.headersHint}</p>
      {headers.map(({ name, value }, at) => (
        <div key={at} className="fields">
          <Field label={words.header}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                // the name of a stored value cannot be changed: the value would be lost without a word
                readOnly={value === KEPT_SECRET}
                value={name}
                onChange={(event) => change(at, { name: event.target.value })}
              />
            )}
          </Field>
          <SecretField
            label={words.headerValue(name)}
            path={`supplier.headers.${name}`}
            value={value}
            mustBeSentAgain={isOtherAddress}
            onChange={(next) => change(at, { value: next })}
          />
        </div>
      ))}
      <p>
        <Button isSmall icon="add" onClick={() => onChange([...headers, { name: '', value: '' }])}>
          {words.addHeader}
        </Button>
      </p>
    </fieldset>
  )
}

import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { Field } from './field.js'
import { KEPT_SECRET } from './kept-secret.js'
import styles from './secret-field.module.css'

interface SecretFieldProps {
  label: ReactNode
  path?: string
  hint?: ReactNode
  /** `KEPT_SECRET` as the server answered it, a new secret, or undefined for none. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** The address it belongs to was changed: the stored one may not go there. */
  mustBeSentAgain?: boolean
  isRequired?: boolean
}

/** Write-only: what is stored is never shown, not even as stars in an input. */
export function SecretField({
  label,
  path,
  hint,
  value,
  onChange,
  mustBeSentAgain = false,
  isRequired = false,
}: SecretFieldProps) {
  const t = useTexts()
  const [wasKept] = useState(value === KEPT_SECRET)
  const isKept = value === KEPT_SECRET && !mustBeSentAgain
  const again = value === KEPT_SECRET && mustBeSentAgain ? t.kit.secret.sendAgain : undefined
  return (
    <Field
      label={label}
      path={path}
      hint={hint}
      error={again}
      isRequired={isRequired}
      isChanged={wasKept && value !== KEPT_SECRET}
    >
      {(control) =>
        isKept || (value === undefined && wasKept) ? (
          <div className={styles.kept}>
            <span className={styles.word}>{isKept ? t.kit.secret.kept : t.kit.secret.removed}</span>
            <Button id={control.id} isSmall aria-describedby={control['aria-describedby']} onClick={() => onChange('')}>
              {t.kit.secret.replace}
            </Button>
            {isKept ? (
              <Button isSmall onClick={() => onChange(undefined)}>
                {t.kit.secret.remove}
              </Button>
            ) : (
              <Button isSmall onClick={() => onChange(KEPT_SECRET)}>
                {t.kit.secret.keep}
              </Button>
            )}
          </div>
        ) : (
          <div className={styles.kept}>
            <input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={value === KEPT_SECRET ? '' : (value ?? '')}
              onChange={(event) => onChange(event.target.value === '' && !wasKept ? undefined : event.target.value)}
            />
            {wasKept && !mustBeSentAgain && (
              <Button isSmall onClick={() => onChange(KEPT_SECRET)}>
                {t.kit.secret.keep}
              </Button>
            )}
            {wasKept && mustBeSentAgain && (
              <Button isSmall onClick={() => onChange(undefined)}>
                {t.kit.secret.remove}
              </Button>
            )}
          </div>
        )
      }
    </Field>
  )
}

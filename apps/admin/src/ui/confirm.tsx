import { type FormEvent, type ReactNode, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Field } from './field.js'
import { RefusalNotice } from './refusal.js'

interface ConfirmProps {
  title: string
  /** The consequences of the action. */
  children: ReactNode
  /** The name of the act, on the button. */
  act: string
  /** Where set, it must be typed: the name of what is deleted, or the API. */
  word?: string
  isDangerous?: boolean
  isBusy?: boolean
  error?: unknown
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an act that cannot be undone, or that others notice. */
export function Confirm({
  title,
  children,
  act,
  word,
  isDangerous = true,
  isBusy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const isReady = word === undefined || typed.trim() === word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isBusy) onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <div className="stack">{children}</div>
        {word !== undefined && (
          <Field label={t.kit.confirm.type(word)}>
            {(control) => (
              <input
                {...control}
                value={typed}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
        )}
        {error !== undefined && error !== null && <RefusalNotice error={error} />}
        <div className="actions">
          <Button onClick={onClose}>{t.general.cancel}</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isWrite isBusy={isBusy} disabled={!isReady}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

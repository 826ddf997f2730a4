import { AnswerError } from '@partsbus/client/answer-error'
import { type FormEvent, useState } from 'react'
import { useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Field } from '../ui/field.js'
import { RefusalNotice } from '../ui/refusal.js'
import { toast } from '../ui/toast.js'
import { ViolationsProvider } from '../ui/violations.js'
import { staleAccount, useTakeSession } from './account-calls.js'
import { passwordProblem, type PasswordProblem } from './account-draft.js'

const EMPTY = { current: '', next: '', again: '' }

/** A new password ends all other sessions. @param props.name for password managers */
export function PasswordForm({ name }: { name: string }) {
  const t = useTexts()
  const words = t.people.account
  const [typed, setTyped] = useState(EMPTY)
  const [problem, setProblem] = useState<PasswordProblem>()
  const save = useSend('PATCH /session', { stale: staleAccount, onDone: useTakeSession() })
  const isWrong = save.error instanceof AnswerError && 'password.current' in save.error.errors
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = passwordProblem(typed)
    setProblem(found)
    if (found !== undefined || save.isPending) return
    // the mutation would keep the passwords that it was called with
    save.mutate(
      { body: { password: { current: typed.current, next: typed.next } } },
      {
        onSuccess: () => {
          setTyped(EMPTY)
          toast(words.passwordChanged)
          save.reset()
        },
      },
    )
  }
  const errors: Record<keyof typeof EMPTY, string | undefined> = {
    current: isWrong ? words.wrongPassword : undefined,
    next: problem === 'short' ? t.session.join.short : undefined,
    again: problem === 'differs' ? t.session.join.differs : undefined,
  }
  const password = (field: keyof typeof EMPTY, label: string, autoComplete: string) => (
    <Field
      label={label}
      {...(field !== 'again' && { path: `password.${field}` })}
      {...(field === 'next' && { hint: t.session.join.short })}
      error={errors[field]}
      isRequired
    >
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete={autoComplete}
          value={typed[field]}
          onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <ViolationsProvider error={save.error}>
      <form className="stack" onSubmit={submit} noValidate>
        {save.error !== null && !isWrong && <RefusalNotice error={save.error} />}
        <input hidden readOnly autoComplete="username" value={name} />
        {password('current', words.currentPassword, 'current-password')}
        {password('next', words.nextPassword, 'new-password')}
        {password('again', t.session.join.again, 'new-password')}
        <p className="muted small">{words.passwordText}</p>
        <div className="actions">
          <Button
            type="submit"
            kind="primary"
            isWrite
            isBusy={save.isPending}
            disabled={typed.current === '' || typed.next === ''}
          >
            {words.changePassword}
          </Button>
        </div>
      </form>
    </ViolationsProvider>
  )
}

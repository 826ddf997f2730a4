import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { admin } from '../calls/admin-client.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Check, Field } from '../ui/field.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import type { Session, SignIn } from '@partsbus/contracts/administration/administrator'
import { useCountdown } from './use-countdown.js'

interface SignInFormProps {
  /** Of the person whose session has ended. */
  name?: string
  isToken?: boolean
  onOpened: (session: Session) => void
}

export function SignInForm({ name: initialName = '', isToken: isTokenFirst = false, onOpened }: SignInFormProps) {
  const t = useTexts()
  const [isToken, setIsToken] = useState(isTokenFirst)
  const [isRemembered, setIsRemembered] = useState(false)
  const [pause, startPause] = useCountdown()
  const open = useMutation({
    mutationFn: (body: SignIn) => admin('POST /session', { body }),
    onSuccess: onOpened,
    onError: (error) => {
      if (error instanceof AnswerError && error.status === 429) startPause(error.retryAfter ?? 30)
    },
    // a wrong password is no ended session
    meta: { isSignIn: true },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const typed = (name: string) => String(fields.get(name) ?? '')
    const remember = isRemembered && { remember: true }
    open.mutate(isToken ? { token: typed('token') } : { name: typed('name'), password: typed('password'), ...remember })
  }
  return (
    <form className="stack" onSubmit={submit}>
      {isToken ? (
        <Field label={t.session.token} hint={t.session.tokenHint}>
          {(control) => (
            <input
              {...control}
              key="token"
              name="token"
              type="password"
              required
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      ) : (
        <>
          <Field label={t.session.name}>
            {(control) => (
              <input
                {...control}
                name="name"
                required
                defaultValue={initialName}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label={t.session.password}>
            {(control) => (
              <input
                {...control}
                key="password"
                name="password"
                type="password"
                required
                autoComplete="current-password"
              />
            )}
          </Field>
          <Check label={t.session.remember} isOn={isRemembered} onChange={setIsRemembered} />
        </>
      )}
      <div role="alert">
        <Failure error={open.error} isToken={isToken} pause={pause} />
      </div>
      <Button type="submit" kind="primary" isWrite isBusy={open.isPending} disabled={pause > 0}>
        {pause > 0 ? t.session.tryAgainIn(pause) : t.session.signIn}
      </Button>
      <Button
        kind="quiet"
        isSmall
        onClick={() => {
          open.reset()
          setIsToken(!isToken)
        }}
      >
        {isToken ? t.session.usePassword : t.session.useToken}
      </Button>
    </form>
  )
}

function Failure({ error, isToken, pause }: { error: unknown; isToken: boolean; pause: number }) {
  const t = useTexts()
  if (error === null) return null
  if (error instanceof AnswerError && error.status === 401)
    return <Notice tone="danger">{isToken ? t.session.wrongToken : t.session.wrong}</Notice>
  if (error instanceof AnswerError && error.status === 429)
    return pause > 0 ? <Notice tone="warning">{t.session.tooMany}</Notice> : null
  return <RefusalNotice error={error} />
}

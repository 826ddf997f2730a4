import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { admin } from '../calls/admin-client.js'
import { useLanguage, useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Field } from '../ui/field.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { useOpenSession } from '../calls/session.js'
import { readInvitation } from './invitation-link.js'
import { SignedOutFrame } from './signed-out-frame.js'

const SHORTEST_PASSWORD = 12

/** An invitation: its token stands in the fragment, and leaves the address at once. */
export function JoinPage() {
  const { texts: t, language } = useLanguage()
  const navigate = useNavigate()
  const open = useOpenSession()
  const [{ token, name }] = useState(() => readInvitation(location.hash.slice(1)))
  const [problem, setProblem] = useState<{ field: 'next' | 'again'; text: string }>()
  const accept = useMutation({
    mutationFn: (password: string) => admin('POST /invitation', { body: { token, password } }),
    onSuccess: async (session) => {
      // a new person has the language of this browser
      const own = await admin('PATCH /session', { body: { locale: language } }).catch(() => session)
      open(own)
      void navigate({ to: '/', replace: true })
    },
  })
  useEffect(() => {
    document.title = `${t.session.join.title} · ${t.shell.product}`
    if (location.hash !== '') void navigate({ to: '/join', hash: '', replace: true })
  }, [t, navigate])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [next, again] = [String(fields.get('next')), String(fields.get('again'))]
    if ([...next].length < SHORTEST_PASSWORD) setProblem({ field: 'next', text: t.session.join.short })
    else if (next !== again) setProblem({ field: 'again', text: t.session.join.differs })
    else {
      setProblem(undefined)
      accept.mutate(next)
    }
  }
  const isInvalid = accept.error instanceof AnswerError && accept.error.status === 404
  if (token === '' || isInvalid) {
    return (
      <SignedOutFrame title={t.session.join.invalid}>
        <p>{token === '' ? t.session.join.missing : t.session.join.invalidText}</p>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={t.session.join.title} lead={t.session.join.text}>
      <form className="stack" onSubmit={submit} noValidate>
        {name !== undefined && (
          <Field label={t.session.name} hint={t.session.join.nameHint}>
            {(control) => <input {...control} readOnly value={name} autoComplete="username" />}
          </Field>
        )}
        <Field label={t.session.join.next} error={problem?.field === 'next' ? problem.text : undefined}>
          {(control) => <input {...control} name="next" type="password" autoComplete="new-password" />}
        </Field>
        <Field label={t.session.join.again} error={problem?.field === 'again' ? problem.text : undefined}>
          {(control) => <input {...control} name="again" type="password" autoComplete="new-password" />}
        </Field>
        {accept.error && !isInvalid && <Refusal error={accept.error} />}
        <Button type="submit" kind="primary" isWrite isBusy={accept.isPending}>
          {t.session.join.submit}
        </Button>
      </form>
    </SignedOutFrame>
  )
}

function Refusal({ error }: { error: Error }) {
  const t = useTexts()
  if (error instanceof AnswerError && error.status === 422) return <Notice tone="danger">{t.session.join.short}</Notice>
  return <RefusalNotice error={error} />
}

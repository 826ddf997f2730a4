import { useRouter, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { admin } from '../calls/admin-client.js'
import { base } from '../browser/page-address.js'
import { useTexts } from '../texts/language.js'
import { ownPath } from './own-path.js'
import { useOpenSession } from '../calls/session.js'
import { SignInForm } from './sign-in-form.js'
import { SignedOutFrame } from './signed-out-frame.js'

export function SignInPage() {
  const t = useTexts()
  const router = useRouter()
  const { next } = useSearch({ from: '/sign-in' })
  const open = useOpenSession()
  const isNew =
    useQuery({
      queryKey: ['GET /sign-in'],
      queryFn: ({ signal }) => admin('GET /sign-in', { signal }),
      retry: false,
    }).data?.has_accounts === false
  useEffect(() => {
    document.title = `${t.session.title} · ${t.shell.product}`
  }, [t])
  return (
    <SignedOutFrame title={t.session.title}>
      <SignInForm
        key={String(isNew)}
        isToken={isNew}
        onOpened={(session) => {
          open(session)
          router.history.replace(`${base}${ownPath(next).slice(1)}`)
        }}
      />
    </SignedOutFrame>
  )
}

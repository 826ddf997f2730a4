import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
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
  useEffect(() => {
    document.title = `${t.session.title} · ${t.shell.product}`
  }, [t])
  return (
    <SignedOutFrame title={t.session.title}>
      <SignInForm
        onOpened={(session) => {
          open(session)
          router.history.replace(`${base}${ownPath(next).slice(1)}`)
        }}
      />
    </SignedOutFrame>
  )
}

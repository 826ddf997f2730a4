import { useTexts } from '../texts/language.js'
import { Dialog } from '../ui/dialog.js'
import type { Session } from '@partsbus/contracts/administration/administrator'
import { useOpenSession, useSession } from '../calls/session.js'
import { SignInForm } from './sign-in-form.js'

/** Over the page of a session that is over: what was filled in stays. */
export function EndedSession() {
  const t = useTexts()
  const { session } = useSession()
  const open = useOpenSession()
  const opened = (next: Session) => {
    // what is on the page belongs to somebody else
    if (next.administrator.id !== session.administrator.id) location.reload()
    else open(next)
  }
  return (
    <Dialog title={t.session.ended.title}>
      <p>{t.session.ended.text}</p>
      <SignInForm name={session.administrator.name} isToken={session.administrator.id === null} onOpened={opened} />
    </Dialog>
  )
}

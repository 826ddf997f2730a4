import type { ReactNode } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { conflictOf, isAway } from '../calls/query-client.js'
import { useSession } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { CopyButton } from './copy-button.js'
import { Notice } from './panel.js'
import { ReferrerLink } from './referrer-link.js'
import { ServerText } from './server-text.js'
import { useOwners } from '../calls/use-overview.js'

/** Why a write was refused: 403 and 409 in words with links, a failure of the server with its request id. */
export function RefusalNotice({ error }: { error: unknown }) {
  const t = useTexts()
  const text = useErrorText(error)
  if (error instanceof AnswerError) {
    // the dialog of the ended session asks to sign in again
    if (error.status === 401) return null
    if (error.status === 403) return <MayNotChange message={error.message} />
    if (error.status === 422 && error.violations.length > 0) return null
    if (conflictOf(error))
      return (
        <Notice tone="warning" title={t.states.conflict.title}>
          <p>{t.states.conflict.lookAgain}</p>
        </Notice>
      )
    if (error.status === 409) return <Refused message={error.message} error={error} />
  }
  return (
    <Notice tone="danger" title={t.states.refused}>
      <p>{text}</p>
      <RequestId error={error} />
    </Notice>
  )
}

function Refused({ message, error }: { message: string; error: AnswerError }) {
  const t = useTexts()
  // the message tells of supplies: they have no page
  const by = error.by.filter(({ kind }) => kind !== 'supplies')
  return (
    <Notice tone="warning" title={<ServerText text={message} />}>
      {by.length > 0 && (
        <>
          <p>{t.states.usedBy}</p>
          <ul>
            {by.map((referrer) => (
              <li key={`${referrer.kind} ${referrer.id}`}>
                <ReferrerLink {...referrer} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  )
}

function MayNotChange({ message }: { message: string }) {
  const t = useTexts()
  const { session } = useSession()
  const owners = useOwners()
  if (message !== 'Your role does not allow this.')
    return <Notice tone="danger" title={<ServerText text={message} />} />
  return (
    <Notice tone="warning">
      {t.states.mayNotChange(t.shell.roles[session.administrator.role], owners.join(', '))}
    </Notice>
  )
}

/** The message for a failed call. */
export function useErrorText(error: unknown, part?: string): ReactNode {
  const t = useTexts()
  if (error instanceof AnswerError)
    return isAway(error) ? t.states.away(part ?? t.states.parts.other) : <ServerText text={error.message} />
  return isAway(error) ? t.states.noConnection : String(error)
}

/** Of what went wrong at the server: a refusal of what was sent says itself what to change. */
export function RequestId({ error }: { error: unknown }) {
  const t = useTexts()
  if (!(error instanceof AnswerError) || error.requestId === null || error.status < 500) return null
  return (
    <p className="row small">
      {t.states.requestId} <code>{error.requestId}</code>
      <CopyButton text={error.requestId} label={t.states.copyRequestId} />
    </p>
  )
}

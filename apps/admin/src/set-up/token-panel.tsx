import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Time } from '../ui/time.js'
import { TokenDialog } from '../ui/token-dialog.js'
import { type Api, useIssueToken, useRevokeToken } from './set-up-calls.js'

interface TokenPanelProps {
  api: Api
  stamp: { last4: string; issued_at: string } | null
  /** of the settings as they are shown */
  revision: string | null
}

/** The token of an API: its end and its age, a new one, or none. */
export function TokenPanel({ api, stamp, revision }: TokenPanelProps) {
  const t = useTexts()
  const words = t.setUp.settings
  const mayChange = useMay('owner')
  const [asked, setAsked] = useState<'issue' | 'revoke'>()
  const [token, setToken] = useState<string>()
  const issue = useIssueToken(api, (issued) => {
    setAsked(undefined)
    setToken(issued)
  })
  const revoke = useRevokeToken(api, () => setAsked(undefined))
  const start = () => issue.mutate(revision)
  return (
    <Panel title={words.token}>
      <div className="row-apart">
        <p>
          {stamp === null ? (
            words.noToken
          ) : (
            <>
              {words.tokenIs(stamp.last4)} <Time at={stamp.issued_at} />
            </>
          )}
        </p>
        {mayChange && (
          <div className="row">
            <Button isWrite isBusy={issue.isPending} onClick={() => (stamp === null ? start() : setAsked('issue'))}>
              {stamp === null ? words.issue : words.reissue}
            </Button>
            {stamp !== null && (
              <Button isWrite onClick={() => setAsked('revoke')}>
                {words.revoke}
              </Button>
            )}
          </div>
        )}
      </div>
      {issue.error !== null && asked === undefined && <RefusalNotice error={issue.error} />}
      {asked !== undefined && stamp !== null && (
        <Confirm
          title={asked === 'issue' ? words.reissueTitle : words.revokeTitle}
          act={asked === 'issue' ? words.reissue : words.revoke}
          word={words.apiWords[api]}
          isBusy={issue.isPending || revoke.isPending}
          error={asked === 'issue' ? issue.error : revoke.error}
          onConfirm={() => (asked === 'issue' ? start() : revoke.mutate(revision))}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.reissueText(stamp.last4)}</p>
        </Confirm>
      )}
      {token !== undefined && (
        <TokenDialog
          title={words.newToken}
          token={token}
          fileName={`partsbus-${api}-token.txt`}
          onKept={() => setToken(undefined)}
        />
      )}
    </Panel>
  )
}

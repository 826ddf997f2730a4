import { useState } from 'react'
import { useCall, useSend } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Loaded } from '../ui/state.js'
import { LongText, Table } from '../ui/table.js'
import { Time } from '../ui/time.js'
import { VisuallyHidden } from '../ui/visually-hidden.js'

/** Where this person is signed in. */
export function OwnSessions() {
  const t = useTexts()
  const words = t.people.account
  const [isAsking, setIsAsking] = useState(false)
  const sessions = useCall('GET /sessions', {})
  const signOut = useSend('DELETE /sessions/:id', { stale: ['GET /sessions'] })
  const signOutOthers = useSend('DELETE /sessions', { stale: ['GET /sessions'], onDone: () => setIsAsking(false) })
  const others = sessions.data?.filter(({ is_current }) => !is_current).length ?? 0
  return (
    <Panel
      isFlush
      title={words.sessions}
      actions={
        others > 0 && (
          <Button isSmall isWrite onClick={() => setIsAsking(true)}>
            {words.signOutOthers}
          </Button>
        )
      }
    >
      {signOut.error !== null && <RefusalNotice error={signOut.error} />}
      <Loaded from={sessions}>
        {(data) => (
          <Table
            caption={words.sessions}
            rows={data}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'agent',
                head: words.browser,
                isName: true,
                cell: ({ agent }) => <LongText text={agent ?? words.unknownBrowser} />,
              },
              { key: 'address', head: words.address, cell: ({ address }) => address ?? t.general.none },
              {
                key: 'started',
                head: words.started,
                isMinor: true,
                cell: ({ started_at }) => <Time at={started_at} />,
              },
              { key: 'seen', head: words.seen, cell: ({ seen_at }) => <Time at={seen_at} /> },
              {
                key: 'act',
                head: <VisuallyHidden>{words.signOut}</VisuallyHidden>,
                cell: ({ id, is_current, address }) =>
                  is_current ? (
                    <Mark tone="good">{words.current}</Mark>
                  ) : (
                    <Button
                      isSmall
                      isWrite
                      aria-label={words.signOutAt(address ?? t.general.none)}
                      isBusy={signOut.isPending && signOut.variables?.params.id === id}
                      onClick={() => signOut.mutate({ params: { id } })}
                    >
                      {words.signOut}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {isAsking && (
        <Confirm
          title={words.signOutOthersTitle}
          act={words.signOutOthers}
          isBusy={signOutOthers.isPending}
          error={signOutOthers.error}
          onConfirm={() => signOutOthers.mutate({})}
          onClose={() => setIsAsking(false)}
        >
          <p>{words.signOutOthersText(others)}</p>
        </Confirm>
      )}
    </Panel>
  )
}

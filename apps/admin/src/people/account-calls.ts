import { useQueryClient } from '@tanstack/react-query'
import type { OwnAccountPatch, Session } from '@partsbus/contracts/gateway/administrator'
import { admin } from '../calls/admin-client.js'
import { SESSION_KEY } from '../calls/query-client.js'
import { useCall, useWrite } from '../calls/use-call.js'

export const useOwnSessions = () => useCall('GET /sessions', {})

/** The answer is the session of the page: language, theme and zone apply at once. */
export function useSaveAccount() {
  const queries = useQueryClient()
  return useWrite((body: OwnAccountPatch) => admin('PATCH /session', { body }), {
    stale: ['GET /sessions', 'GET /references'],
    onDone: (session: Session) => queries.setQueryData(SESSION_KEY, session),
  })
}

export const useSignOutSession = () =>
  useWrite((id: string) => admin('DELETE /sessions/:id', { params: { id } }), { stale: ['GET /sessions'] })

export const useSignOutOthers = (onDone: () => void) =>
  useWrite(() => admin('DELETE /sessions'), { stale: ['GET /sessions'], onDone })

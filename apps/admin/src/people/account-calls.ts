import { useQueryClient } from '@tanstack/react-query'
import type { Session } from '@partsbus/contracts/administration/administrator'
import { SESSION_KEY } from '../calls/query-client.js'

export const staleAccount = ['GET /sessions', 'GET /references'] as const

/** The session that an answer has becomes that of the page: language, theme and zone apply at once. */
export function useTakeSession() {
  const queries = useQueryClient()
  return (session: Session) => void queries.setQueryData(SESSION_KEY, session)
}

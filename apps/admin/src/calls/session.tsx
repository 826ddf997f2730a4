import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '@partsbus/contracts/administration/administrator'
import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { admin } from './admin-client.js'
import { SESSION_KEY } from './query-client.js'
import { isAtLeast, type Role } from './role.js'

/** How soon a changed role is noticed without a refusal, ms. */
const ROLE_EVERY_MS = 60_000

/** The session of this browser; null when there is none. */
export function useSessionQuery() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }) => {
      try {
        return await admin('GET /session', { signal })
      } catch (error) {
        if (error instanceof AnswerError && error.status === 401) return null
        throw error
      }
    },
    refetchInterval: ROLE_EVERY_MS,
    staleTime: ROLE_EVERY_MS,
  })
}

interface SessionState {
  session: Session
  /** The server no longer knows it: the page stays, a dialog asks to sign in again. */
  isEnded: boolean
}

const Current = createContext<SessionState | null>(null)

/** Shows `children` for the last session there was, also after it has ended. */
export function SessionProvider({ current, children }: { current: Session | null; children: ReactNode }) {
  const [last, setLast] = useState(current)
  if (current !== null && current !== last) setLast(current)
  const session = current ?? last
  const state = useMemo(() => (session === null ? null : { session, isEnded: current === null }), [session, current])
  return <Current value={state}>{children}</Current>
}

export function useSession(): SessionState {
  const state = use(Current)
  if (state === null) throw new Error('SessionProvider is missing')
  return state
}

/** On the pages for signed-out people as well. */
export const useOptionalSession = (): Session | null => use(Current)?.session ?? null

/** `const mayChange = useMay('manager')`. */
export const useMay = (least: Role) => isAtLeast(useSession().session.administrator.role, least)

/** Takes over the session that a sign-in answered. */
export function useOpenSession() {
  const queries = useQueryClient()
  return (session: Session) => {
    queries.setQueryData(SESSION_KEY, session)
    void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION_KEY[0] })
  }
}

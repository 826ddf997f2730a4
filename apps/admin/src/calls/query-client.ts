/**
 * What happens when a call fails. Reads are retried while the gateway or a service is unreachable (503, no connection):
 * after `Retry-After`, else after 2, 4, 8, 16, then every 30 s. Nothing else is retried, and writes never are.
 * A 401 ends the session without leaving the page, and after a 403 the role is read again.
 */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { AnswerError } from '@partsbus/client/answer-error'

export const SESSION_KEY = ['session'] as const

const LONGEST_PAUSE_MS = 30_000
/** A hidden window is silent; what is older than this is read again when it is shown. */
const FRESH_MS = 2_000

export const isAway = (error: unknown): boolean =>
  error instanceof AnswerError
    ? error.status === 503 || error.status === 504 || error.status === 502
    : error instanceof TypeError

/** The refusal of a change whose revision is no longer the current one (admin.md#revisions). */
export const conflictOf = (error: unknown): AnswerError | undefined =>
  error instanceof AnswerError && error.status === 412 ? error : undefined

/** In ms. @param failures so far, from 0 */
export function retryPause(failures: number, error: unknown): number {
  const asked = error instanceof AnswerError ? error.retryAfter : null
  return asked === null ? Math.min(2_000 * 2 ** failures, LONGEST_PAUSE_MS) : Math.min(asked * 1_000, LONGEST_PAUSE_MS)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      retry: (_failures, error) => isAway(error),
      retryDelay: retryPause,
      staleTime: FRESH_MS,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      // the query fails, and says so, instead of waiting silently for the connection
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** What is shown, after a change of the language; the session does not depend on it. */
export function readAgain(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
}

/** Also for the calls that no query makes. */
export function noteRefusal(error: unknown): void {
  if (!(error instanceof AnswerError)) return
  if (error.status === 401) queryClient.setQueryData(SESSION_KEY, null)
  if (error.status === 403) void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin, type CallOptions, exchange } from './admin-client.js'

type ReadOptions = Pick<CallOptions, 'params' | 'query'> & {
  /** Reads again this often, in ms, while the window is visible. */
  everyMs?: number | false
  isEnabled?: boolean
}

/**
 * Reads by GET: `const lists = useCall('GET /price-lists', { query: { q } })`, shown by `<Loaded from={lists}>`. What
 * was read for other parameters stays until the answer is there, so that a table never jumps.
 */
export function useCall<Answer>(path: `GET ${string}`, { params, query, everyMs, isEnabled = true }: ReadOptions = {}) {
  return useQuery({
    queryKey: callKey(path, params, query),
    queryFn: ({ signal }) => admin<Answer>(path, { params, query, signal }),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
}

/** As `useCall`, with the revision for `ifMatch`: `data.answer`, `data.etag`. */
export function useRevision<Answer>(
  path: `GET ${string}`,
  { params, query, everyMs, isEnabled = true }: ReadOptions = {},
) {
  return useQuery({
    queryKey: [...callKey(path, params, query), 'revision'],
    queryFn: ({ signal }) => exchange<Answer>(path, { params, query, signal }),
    enabled: isEnabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
}

export const callKey = (path: string, params?: CallOptions['params'], query?: CallOptions['query']) =>
  [path, ...(params || query ? [{ ...params }] : []), ...(query ? [query] : [])] as const

/**
 * A write: `const save = useWrite((input) => admin('PATCH …', input), { stale: ['GET /price-lists'] })`, then
 * `save.mutate(input)`. Queries whose path begins with one of `stale` are read again before it counts as done.
 */
export function useWrite<Input, Answer>(
  write: (input: Input) => Promise<Answer>,
  { stale = [], onDone }: { stale?: `GET ${string}`[]; onDone?: (answer: Answer, input: Input) => void } = {},
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: async (answer, input) => {
      await queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => stale.some((part) => String(path).startsWith(part)),
      })
      onDone?.(answer, input)
    },
  })
}

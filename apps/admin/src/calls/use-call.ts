import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CallOptions } from '@partsbus/client/admin-client'
import type { Exchange } from '@partsbus/client/transport'
import type { JsonPath, ReceivedAnswer } from '@partsbus/contracts/http/calls'
import { admin } from './admin-client.js'
import { conflictOf } from './query-client.js'

/** The client's own types leave the options out where a call has none; here there always is the signal. */
export const exchange = admin.exchange as unknown as <Path extends JsonPath>(
  path: Path,
  options: object,
) => Promise<Exchange<ReceivedAnswer<Path>>>

/** A call that only reads. */
export type ReadPath = Extract<JsonPath, `GET ${string}`>

type ReadOptions<Path extends ReadPath> = Pick<CallOptions<Path>, 'params' | 'query'> & {
  /** Reads again this often, in ms, while the window is visible. */
  everyMs?: number | false
  isEnabled?: boolean
}
type ReadArguments<Path extends ReadPath> =
  {} extends Pick<CallOptions<Path>, 'params' | 'query'> ? [options?: ReadOptions<Path>] : [options: ReadOptions<Path>]

/**
 * Reads by GET: `const lists = useCall('GET /price-lists', { query: { q } })`, shown by `<Loaded from={lists}>`. What
 * was read for other parameters stays until the answer is there, so that a table never jumps. A blank filter is none.
 */
export function useCall<Path extends ReadPath>(path: Path, ...[options]: ReadArguments<Path>) {
  const { params, query = {}, everyMs, isEnabled = true }: Partial<ReadOptions<Path>> = options ?? {}
  return useQuery({
    queryKey: callKey(path, params, query),
    queryFn: async ({ signal }) => (await exchange(path, { params, query: withoutBlanks(query), signal })).answer,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
}

/** As `useCall`, with the revision for `ifMatch`: `data.answer`, `data.etag`. */
export function useRevision<Path extends ReadPath>(path: Path, ...[options]: ReadArguments<Path>) {
  const { params, query, everyMs, isEnabled = true }: Partial<ReadOptions<Path>> = options ?? {}
  return useQuery({
    queryKey: [...callKey(path, params, query), 'revision'],
    queryFn: ({ signal }) => exchange(path, { params, query, signal }),
    enabled: isEnabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
}

/** Blank filters are no part of the key, as they are no part of the query. */
export const callKey = (path: string, params?: object, query: object = {}) =>
  [path, params ?? {}, withoutBlanks(query)] as const

const withoutBlanks = (query: object): object =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))

export interface WriteOptions<Input, Answer> {
  /** Queries whose path begins with one of these are read again. */
  stale?: readonly `GET ${string}`[]
  /** What is written is gone after it: calls about one thing are not read again. */
  isGone?: boolean
  onDone?: (answer: Answer, input: Input) => void
}

/**
 * A write: `const save = useWrite((input) => admin('PATCH …', input), { stale: ['GET /price-lists'] })`, then
 * `save.mutate(input)`. What is stale is read again before it counts as done, and also before it fails with 412: the
 * page then shows what is stored.
 */
export function useWrite<Input, Answer>(
  write: (input: Input) => Promise<Answer>,
  { stale = [], isGone = false, onDone }: WriteOptions<Input, Answer> = {},
) {
  const queries = useQueryClient()
  const readAgain = (isListOnly: boolean) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        stale.some((part) => String(path).startsWith(part)) && !(isListOnly && String(path).includes('/:')),
    })
  return useMutation({
    mutationFn: write,
    onSuccess: async (answer, input) => {
      await readAgain(isGone)
      onDone?.(answer, input)
    },
    onError: async (error) => {
      if (conflictOf(error)) await readAgain(false)
    },
  })
}

/** A call that writes. */
type WritePath = Exclude<JsonPath, ReadPath>

/** As `useWrite`, for one call: `const retry = useSend('POST /media-jobs/:id/retry')`, `retry.mutate({ params })`. */
export const useSend = <Path extends WritePath>(
  path: Path,
  options: WriteOptions<CallOptions<Path>, ReceivedAnswer<Path>> = {},
) => useWrite(async (call: CallOptions<Path>) => (await exchange(path, call)).answer, options)

/** What is deleted, as it was shown. */
export interface Deletion {
  id: number
  ifMatch: string | null
}

/** As `useWrite`, for what a person saw and deletes: 412 when it was changed meanwhile. */
export const useDelete = <Path extends Extract<JsonPath, `DELETE /${string}/:id`>>(
  path: Path,
  { query, ...options }: Omit<WriteOptions<Deletion, unknown>, 'isGone'> & Pick<CallOptions<Path>, 'query'>,
) =>
  useWrite(({ id, ifMatch }: Deletion) => exchange(path, { params: { id }, query, ifMatch: ifMatch ?? undefined }), {
    ...options,
    isGone: true,
  })

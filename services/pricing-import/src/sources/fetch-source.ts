import { join } from 'node:path'
import { runInThread } from '@partsbus/platform/process/run-in-thread'
import { traceCall } from '@partsbus/platform/process/spans'
import type { StoredSource } from '../price-lists/price-list-record.js'
import type { Fetched } from './fetched-file.js'
import type { FetchRequest, FetchResponse } from './fetch-thread.js'
import { SourceFailure } from './source-failure.js'

// always the built file, also when this module runs from source
const THREAD = join(import.meta.dirname, '..', '..', 'dist', 'sources', 'fetch-thread.js')
const MAX_MEMORY_MB = 128
/** A thread with its young generation, its stack, and answers of servers outside of its heap. */
export const FETCH_MB = 160

/**
 * Fetches the file of a source in a thread of its own, so that no reply of a server can crash the service through the
 * HTTP, FTP and IMAP clients. The thread has no tracer: the fetch is one span, redirects and commands included.
 * @throws SourceFailure
 */
export function fetchSource(request: FetchRequest, signal: AbortSignal): Promise<Fetched> {
  return traceCall(
    'source.fetch',
    async (span) => {
      const fetched = await fetchInThread(request, signal)
      span?.setAttribute('partsbus.outcome', fetched.outcome)
      return fetched
    },
    () => ({ 'partsbus.source_kind': request.source.kind, 'server.address': hostName(request.source) }),
  )
}

async function fetchInThread(request: FetchRequest, signal: AbortSignal): Promise<Fetched> {
  const response = await runInThread<FetchResponse>(THREAD, request, { signal, maxMemoryMb: MAX_MEMORY_MB }).catch(
    (error: unknown) => {
      if (signal.aborted) throw new SourceFailure('The file did not arrive in time.', 'TIMEOUT')
      throw new SourceFailure(`The fetch failed (${error instanceof Error ? error.message : String(error)}).`)
    },
  )
  if ('failure' in response) throw new SourceFailure(response.failure, response.code)
  return response.fetched
}

function hostName(source: StoredSource): string {
  if (source.kind !== 'url') return source.host
  return URL.canParse(source.url) ? new URL(source.url).hostname : ''
}

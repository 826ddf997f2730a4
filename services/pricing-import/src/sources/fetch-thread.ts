import { parentPort, workerData } from 'node:worker_threads'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { NOT_RESOLVED } from './checked-address.js'
import type { Fetched, FetchPlan } from './fetched-file.js'
import { SourceFailure, type SourceFailureCode } from './source-failure.js'

/* The thread behind `fetch-source.ts`. */

export interface FetchRequest {
  source: StoredSource
  password: string | undefined
  state: SourceState
  plan: FetchPlan
}

export type FetchResponse = { fetched: Fetched } | { failure: string; code: SourceFailureCode }

async function respond(request: FetchRequest): Promise<FetchResponse> {
  try {
    return { fetched: await fetched(request) }
  } catch (error) {
    return describe(error)
  }
}

/** Each client library is loaded for its own kind only: together they take half a second of processor time. */
async function fetched({ source, password, state, plan }: FetchRequest): Promise<Fetched> {
  if (source.kind === 'url') return (await import('./fetch-url.js')).fetchUrl(source, password, state, plan)
  if (source.kind === 'ftp') return (await import('./fetch-ftp.js')).fetchFtp(source, password, state, plan)
  return (await import('./fetch-email.js')).fetchEmail(source, password, state, plan)
}

/** @param error a SourceFailure, or the error of a socket, a client library or the file system */
function describe(error: unknown): Extract<FetchResponse, { failure: string }> {
  if (error instanceof SourceFailure) return { failure: error.message, code: error.code }
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string' && /CERT|TLS|SSL|SIGNATURE/.test(code))
    return { failure: `The host cannot be trusted, its certificate is not accepted (${code}).`, code: 'CERTIFICATE' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { failure: NOT_RESOLVED, code: 'HOST_UNKNOWN' }
  if (code === 'ENOSPC' || code === 'EDQUOT' || (syscall === 'open' && typeof code === 'string'))
    return { failure: `The file cannot be stored (${code}).`, code: 'NO_SPACE' }
  const reason = typeof code === 'string' ? code : 'the connection failed'
  return { failure: `The host cannot be reached (${reason}).`, code: 'UNREACHABLE' }
}

parentPort?.postMessage(await respond(workerData as FetchRequest))

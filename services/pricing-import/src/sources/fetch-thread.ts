import { parentPort, workerData } from 'node:worker_threads'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { NOT_RESOLVED } from './checked-address.js'
import { fetchEmail } from './fetch-email.js'
import { fetchFtp } from './fetch-ftp.js'
import { fetchUrl } from './fetch-url.js'
import type { Fetched, FetchPlan } from './fetched-file.js'
import { SourceFailure } from './source-failure.js'

/* The thread behind `fetch-source.ts`. */

export interface FetchRequest {
  source: StoredSource
  password: string | undefined
  state: SourceState
  plan: FetchPlan
}

export type FetchResponse = { fetched: Fetched } | { failure: string }

async function respond({ source, password, state, plan }: FetchRequest): Promise<FetchResponse> {
  try {
    if (source.kind === 'url') return { fetched: await fetchUrl(source, password, state, plan) }
    if (source.kind === 'ftp') return { fetched: await fetchFtp(source, password, state, plan) }
    return { fetched: await fetchEmail(source, password, state, plan) }
  } catch (error) {
    return { failure: describe(error) }
  }
}

/** @param error a SourceFailure, or the error of a socket, a client library or the file system */
function describe(error: unknown): string {
  if (error instanceof SourceFailure) return error.message
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string' && /CERT|TLS|SSL|SIGNATURE/.test(code))
    return `The host cannot be trusted, its certificate is not accepted (${code}).`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return NOT_RESOLVED
  if (code === 'ENOSPC' || code === 'EDQUOT' || (syscall === 'open' && typeof code === 'string'))
    return `The file cannot be stored (${code}).`
  return `The host cannot be reached (${typeof code === 'string' ? code : 'the connection failed'}).`
}

parentPort?.postMessage(await respond(workerData as FetchRequest))

import { rootCertificates } from 'node:tls'
import { fileExtension } from '@partsbus/price-file/file-kind'
import {
  firstHeader,
  followRedirects,
  GuardedClient,
  redirectLocation,
  TooManyRedirects,
  UnfetchableUrl,
} from '@partsbus/platform/net/guarded-client'
import { ForbiddenAddress } from '@partsbus/platform/net/host-addresses'
import type { Dispatcher } from 'undici'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { tooLarge, writeCapped } from './capped-file.js'
import { notPublic } from './checked-address.js'
import { type Fetched, type FetchPlan, toInstant } from './fetched-file.js'
import { SourceFailure } from './source-failure.js'

const MAX_REDIRECTS = 5
const CONNECT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'text/plain': 'txt',
  // a table of a page, or a page that is refused as one
  'text/html': 'xls',
  'application/csv': 'csv',
  'application/zip': 'zip',
  'application/vnd.rar': 'rar',
  'application/x-rar-compressed': 'rar',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

type UrlSource = Extract<StoredSource, { kind: 'url' }>

/**
 * Fetches a file by URL with a conditional request. The address of each redirect is checked, and the connection is made
 * to the checked address. User name and password are sent to the configured origin only, and a
 * redirect does not lead from https to http.
 * @throws SourceFailure
 */
export async function fetchUrl(
  source: UrlSource,
  password: string | undefined,
  state: SourceState,
  plan: FetchPlan,
): Promise<Fetched> {
  const start = new URL(source.url)
  const client = new GuardedClient({
    connectMs: CONNECT_MS,
    silenceMs: IDLE_TIMEOUT_MS,
    ca: [...rootCertificates, ...plan.certificates],
  })
  try {
    return await followRedirects(start.href, MAX_REDIRECTS, async (url) => {
      if (start.protocol === 'https:' && url.protocol !== 'https:')
        throw new SourceFailure('The host redirects from https to http.')
      const credentials =
        url.origin === start.origin && source.username !== undefined
          ? `${source.username}:${password ?? ''}`
          : undefined
      const response = await client.request(url, {
        reach: 'public',
        allowedHosts: plan.allowedHosts,
        headers: requestHeaders(state, credentials),
      })
      return receiveFile(response, url, plan)
    })
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw notPublic()
    if (error instanceof TooManyRedirects) throw new SourceFailure(`There were ${error.message}.`)
    if (error instanceof UnfetchableUrl) throw new SourceFailure(`The address cannot be fetched: ${error.message}.`)
    throw error
  } finally {
    await client.close()
  }
}

function requestHeaders(state: SourceState, credentials: string | undefined): Record<string, string> {
  return {
    ...(state.etag && { 'if-none-match': state.etag }),
    ...(state.last_modified && { 'if-modified-since': state.last_modified }),
    ...(credentials !== undefined && { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
  }
}

async function receiveFile(
  response: Dispatcher.ResponseData,
  url: URL,
  plan: FetchPlan,
): Promise<Fetched | { location: string }> {
  const { statusCode } = response
  if (statusCode === 304) return { outcome: 'unchanged' }
  const location = redirectLocation(response)
  if (location !== undefined) {
    response.body.destroy()
    return { location }
  }
  if (statusCode !== 200)
    throw new SourceFailure(
      `The host answered HTTP ${statusCode}.`,
      statusCode === 401 || statusCode === 403 ? 'LOGIN_REFUSED' : 'HTTP_STATUS',
    )
  if ((firstHeader(response, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new SourceFailure('The host sent a content encoding that was not asked for.')
  if (Number(firstHeader(response, 'content-length') ?? 0) > plan.maxBytes) throw tooLarge(plan.maxBytes)
  await writeCapped(response.body, plan.path, plan.maxBytes)
  return {
    outcome: 'fetched',
    file_name: fileName(response, url),
    modified_at: toInstant(firstHeader(response, 'last-modified')),
    marks: {
      etag: firstHeader(response, 'etag') ?? null,
      last_modified: firstHeader(response, 'last-modified') ?? null,
    },
  }
}

/** A name whose extension gives the format: that of the response, else of the URL, else by the media type. */
function fileName(response: Dispatcher.ResponseData, url: URL): string {
  const named = /filename\*?=(?:utf-8'')?"?([^";]+)/i.exec(firstHeader(response, 'content-disposition') ?? '')?.[1]
  const path = url.pathname.split('/').at(-1) ?? ''
  const found = [named, path].map((name) => decoded(name ?? '')).find((name) => fileExtension(name) !== undefined)
  if (found !== undefined) return found.slice(-191).toWellFormed()
  const type = (firstHeader(response, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return `price-list.${extensions[type] ?? 'csv'}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

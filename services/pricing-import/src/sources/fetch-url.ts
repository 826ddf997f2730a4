import { rootCertificates } from 'node:tls'
import { extensionOf } from '@partsbus/price-file/file-kind'
import { readUrl } from '@partsbus/platform/net/address-guard'
import { readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { guardedConnector } from '@partsbus/platform/net/guarded-connector'
import { Client, type Dispatcher } from 'undici'
import type { SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { tooLarge, writeCapped } from './capped-file.js'
import { notPublic } from './checked-address.js'
import type { Fetched, FetchPlan } from './fetched-file.js'
import { SourceFailure } from './source-failure.js'

const MAX_REDIRECTS = 5
const CONNECT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const extensions: Record<string, string> = {
  'text/csv': 'csv',
  'text/plain': 'txt',
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
 * to the checked address. User name and password are sent to the configured origin only.
 * @throws SourceFailure
 */
export async function fetchUrl(
  source: UrlSource,
  password: string | undefined,
  state: SourceState,
  plan: FetchPlan,
): Promise<Fetched> {
  const start = new URL(source.url)
  let next = start.href
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const url = readUrl(next)
    if (typeof url === 'string') throw new SourceFailure(`The address cannot be fetched: ${url}.`)
    const credentials =
      url.origin === start.origin && source.username !== undefined ? `${source.username}:${password ?? ''}` : undefined
    const result = await requestFile(url, requestHeaders(state, credentials), plan)
    if (!('location' in result)) return result
    next = URL.canParse(result.location, url.href) ? new URL(result.location, url.href).href : result.location
  }
  throw new SourceFailure(`There were more than ${MAX_REDIRECTS} redirects.`)
}

function requestHeaders(state: SourceState, credentials: string | undefined): Record<string, string> {
  return {
    'user-agent': 'Partsbus',
    'accept-encoding': 'identity',
    ...(state.etag && { 'if-none-match': state.etag }),
    ...(state.last_modified && { 'if-modified-since': state.last_modified }),
    ...(credentials !== undefined && { authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
  }
}

async function requestFile(
  url: URL,
  headers: Record<string, string>,
  plan: FetchPlan,
): Promise<Fetched | { location: string }> {
  const client = new Client(url.origin, {
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    connect: guardedConnector(
      { reach: 'public', allowed: readAllowedHosts(plan.allowedHosts), refusal: notPublic },
      { connectMs: CONNECT_MS, ca: [...rootCertificates, ...plan.certificates] },
    ),
  })
  try {
    const response = await client.request({
      path: url.pathname + url.search,
      method: 'GET',
      headers,
    })
    response.body.on('error', () => undefined)
    return await receiveFile(response, url, plan)
  } finally {
    await client.destroy()
  }
}

async function receiveFile(
  response: Dispatcher.ResponseData,
  url: URL,
  plan: FetchPlan,
): Promise<Fetched | { location: string }> {
  const { statusCode } = response
  if (statusCode === 304) return { outcome: 'unchanged' }
  const location = REDIRECTS.has(statusCode) ? header(response, 'location') : undefined
  if (location !== undefined) return { location }
  if (statusCode !== 200) throw new SourceFailure(`The host answered HTTP ${statusCode}.`)
  if ((header(response, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new SourceFailure('The host sent a content encoding that was not asked for.')
  if (Number(header(response, 'content-length') ?? 0) > plan.maxBytes) throw tooLarge(plan.maxBytes)
  await writeCapped(response.body, plan.path, plan.maxBytes)
  return {
    outcome: 'fetched',
    file_name: fileName(response, url),
    marks: { etag: header(response, 'etag') ?? null, last_modified: header(response, 'last-modified') ?? null },
  }
}

/** A name whose extension gives the format: that of the response, else of the URL, else by the media type. */
function fileName(response: Dispatcher.ResponseData, url: URL): string {
  const named = /filename\*?=(?:utf-8'')?"?([^";]+)/i.exec(header(response, 'content-disposition') ?? '')?.[1]
  const path = url.pathname.split('/').at(-1) ?? ''
  const found = [named, path].map((name) => decoded(name ?? '')).find((name) => extensionOf(name) !== undefined)
  if (found !== undefined) return found.slice(-191).toWellFormed()
  const type = (header(response, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return `price-list.${extensions[type] ?? 'csv'}`
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

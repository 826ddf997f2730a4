import { withoutTrailingSlashes } from '@partsbus/contracts/base-url'
import type { Reach } from '@partsbus/platform/net/address-guard'
import { GuardedClient } from '@partsbus/platform/net/guarded-client'
import { ForbiddenAddress } from '@partsbus/platform/net/host-addresses'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, errors } from 'undici'
import { supplierFault } from '../dialects/read-rows.js'
import type { SupplierReply, SupplierRequest } from '../dialects/dialect.js'
import { toSupplierFault } from './network-error-messages.js'
import { parseTolerantly } from './parse-tolerantly.js'
import type { HeldReplies } from './reply-memory.js'

const MAX_REPLY_BYTES = 2 * 1024 * 1024
const CONNECT_MS = 5_000

/** Addresses that HTTP suppliers may have (admin.md#addresses, docs/decisions/0006-supplier-addresses.md). */
export interface AddressRules {
  reach: Reach
  allowedHosts: readonly string[]
}

/** Sends requests to suppliers over persistent connections and reads JSON. Redirects are not followed. */
export class SupplierTransport {
  private readonly client = new GuardedClient({ connectMs: CONNECT_MS, silenceMs: 0 })

  constructor(private readonly rules: AddressRules) {}

  /**
   * @param signal ends the request and closes its connection
   * @param held reserves the bytes of the reply as they arrive
   * @throws NoRoom; AppError UNAVAILABLE with a reason for the administrator; the abort reason of `signal`
   */
  async send(
    baseUrl: string,
    request: SupplierRequest,
    signal: AbortSignal,
    held: HeldReplies,
  ): Promise<SupplierReply> {
    const url = buildUrl(baseUrl, request)
    try {
      const response = await this.client.request(url, {
        ...this.rules,
        method: request.method,
        headers: headersFor(request),
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        signal,
      })
      const bytes = await readAll(response, held)
      const { statusCode: status } = response
      const isSuccess = status >= 200 && status <= 299
      return {
        status,
        body: isSuccess ? parseTolerantly(bytes, response.headers['content-type']) : parseQuietly(bytes),
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof ForbiddenAddress ? refusal(error.hostname) : toSupplierFault(error, url)
    }
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** There are a few for each supplier. */
const MAX_URLS = 5_000

/** The URLs of requests, without their queries. */
const urls = new LRUCache<string, string>({ max: MAX_URLS })

function buildUrl(baseUrl: string, { path, query }: SupplierRequest): URL {
  const key = `${path} ${baseUrl}`
  const known = urls.get(key)
  const url = new URL(known ?? baseUrl)
  if (known === undefined) {
    url.pathname = withoutTrailingSlashes(url.pathname) + path
    url.hash = ''
    urls.set(key, url.href)
  }
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  return url
}

const CONNECTION_HEADERS = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'accept-encoding',
])

/** The administrator's headers take precedence over ours, except for those of the connection. */
function headersFor({ headers, body }: SupplierRequest): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    accept: 'application/json',
    ...Object.fromEntries(given.filter(([name]) => !CONNECTION_HEADERS.has(name))),
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

/** By events, which cost a fraction of an iterator for the one or two chunks of most replies. */
function readAll({ body, headers }: Dispatcher.ResponseData, held: HeldReplies): Promise<Buffer> {
  const encoding = headers['content-encoding']
  const declared = Number(headers['content-length'] ?? 0)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const fail = (error: Error): void => {
      if (isOver) return
      isOver = true
      held.drop(size)
      reject(error)
      body.destroy()
    }
    body.on('error', fail)
    if (declared > MAX_REPLY_BYTES) return fail(tooLarge())
    if (encoding !== undefined && encoding !== 'identity')
      return fail(supplierFault('The answer is compressed, although it was asked not to be.'))
    body.on('end', () => {
      isOver = true
      resolve(Buffer.concat(chunks))
    })
    body.on('close', () => fail(new errors.SocketError('closed before the end of the body')))
    body.on('data', (chunk: Buffer) => {
      if (isOver) return
      if (size + chunk.length > MAX_REPLY_BYTES) return fail(tooLarge())
      try {
        held.add(chunk.length)
      } catch (error) {
        return fail(error as Error)
      }
      size += chunk.length
      chunks.push(chunk)
    })
  })
}

function tooLarge(): Error {
  return supplierFault('The answer is larger than 2 MB.')
}

/** The body of an error reply need not be JSON. */
function parseQuietly(bytes: Buffer): unknown {
  try {
    return parseTolerantly(bytes, undefined)
  } catch {
    return undefined
  }
}

function refusal(host: string): Error {
  return supplierFault(`The address of ${host} is not allowed; operators allow it by SUPPLIER_ALLOWED_HOSTS.`)
}

import { isIP, type LookupFunction, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { traceCall } from '../process/spans.js'
import { literalAddress, readUrl, type Reach } from './address-guard.js'
import { readAllowedHosts } from './allowed-hosts.js'
import { type AddressRules, HostAddresses, type Lookup, lookupAll } from './host-addresses.js'

/** Allow lists with open connections; the setting changes rarely. */
const MAX_LISTS = 8
/** Idle connections are closed before most servers close them, so that no request meets a closing one. */
const IDLE_MS = 4_000
const MAX_IDLE_MS = 30_000
const MAX_HEADER_BYTES = 16_384
/** Part of the connection timeout for the lookup, so that a silent resolver is reported as such. */
const LOOKUP_SHARE = 0.8
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface GuardedClientOptions {
  /** limit of making a connection, ms */
  connectMs: number
  /** limit of waiting for the next bytes of a response, ms; 0 when a signal ends requests */
  silenceMs: number
  /** no limit by default */
  connectionsPerHost?: number
  /** certificate authorities, PEM, instead of the usual ones */
  ca?: string[]
  /** the system's resolver by default */
  lookup?: Lookup
}

export interface GuardedRequest {
  reach: Reach
  allowedHosts: readonly string[]
  headers: Record<string, string>
  /** GET by default */
  method?: 'GET' | 'POST'
  body?: string
  signal?: AbortSignal
}

/**
 * The HTTP client for addresses that users configure. It connects only to public addresses
 * and allowed ones (rules.md#public-addresses). Addresses are checked where the connection is made, so a name cannot be
 * pointed elsewhere between the check and the connection. Connections are reused only under the same allow list.
 */
export class GuardedClient {
  private readonly options: GuardedClientOptions
  private readonly addresses: HostAddresses
  private readonly agents = new LRUCache<string, Agent>({
    max: MAX_LISTS,
    // requests in flight are completed
    dispose: (agent, _list, reason) => void (reason === 'evict' && agent.close()),
  })

  constructor(options: GuardedClientOptions) {
    this.options = options
    this.addresses = new HostAddresses(options.lookup ?? lookupAll, options.connectMs * LOOKUP_SHARE)
  }

  /**
   * Redirects are not followed; the caller reads or destroys the body. The trace ends here: a host of somebody else
   * gets no `traceparent`, and the span has neither path nor query of the URL, which may contain secrets.
   * @throws ForbiddenAddress, LookupFailure, an error of the connection, or the abort reason of the signal
   */
  request(url: URL, request: GuardedRequest): Promise<Dispatcher.ResponseData> {
    const { method = 'GET' } = request
    return traceCall(
      method,
      async (span) => {
        const response = await this.send(url, request)
        span?.setAttribute('http.response.status_code', response.statusCode)
        return response
      },
      () => ({ 'http.request.method': method, 'url.scheme': url.protocol.slice(0, -1), ...serverAddress(url) }),
    )
  }

  async close(): Promise<void> {
    const agents = [...this.agents.values()]
    this.agents.clear()
    await Promise.all(agents.map((agent) => agent.destroy()))
  }

  private async send(url: URL, request: GuardedRequest): Promise<Dispatcher.ResponseData> {
    const { reach, allowedHosts, method = 'GET', headers, body, signal } = request
    const response = await this.getAgent(reach, allowedHosts).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { 'user-agent': 'Partsbus', 'accept-encoding': 'identity', ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    // an unread body must not end the process when its connection breaks
    response.body.on('error', () => undefined)
    return response
  }

  private getAgent(reach: Reach, allowedHosts: readonly string[]): Agent {
    const key = JSON.stringify([reach, allowedHosts])
    const known = this.agents.get(key)
    if (known) return known
    const { silenceMs, connectionsPerHost } = this.options
    const agent = new Agent({
      pipelining: 1,
      connections: connectionsPerHost ?? null,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      connect: this.openConnector({ reach, allowed: readAllowedHosts(allowedHosts) }),
    })
    this.agents.set(key, agent)
    return agent
  }

  private openConnector(rules: AddressRules): buildConnector.connector {
    const { connectMs, ca } = this.options
    const connectors = new Map<number, buildConnector.connector>()
    return (options, done) => {
      const { hostname, protocol } = options
      const port = Number(options.port) || (protocol === 'https:' ? 443 : 80)
      const connect =
        connectors.get(port) ??
        buildConnector({ timeout: connectMs, lookup: this.guardedLookup(port, rules), ...(ca && { ca }) })
      connectors.set(port, connect)
      const start = (): void =>
        connect(options, (...made) => {
          const [error, socket] = made
          if (error === null) closeUnused(socket, IDLE_MS)
          done(...made)
        })
      // an address is not looked up
      if (literalAddress(hostname) === undefined) return start()
      this.addresses.resolve(hostname, port, rules).then(start, (error: Error) => done(error, null))
    }
  }

  private guardedLookup(port: number, rules: AddressRules): LookupFunction {
    return (hostname, options, done) => {
      this.addresses.resolve(hostname, port, rules).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }))
          if (options.all) done(null, found)
          else done(null, addresses[0], isIP(addresses[0]))
        },
        (error: Error) => done(error, []),
      )
    }
  }
}

/** The URL cannot be fetched; the message is the reason. */
export class UnfetchableUrl extends Error {}

export class TooManyRedirects extends Error {}

/**
 * Calls `send` with a URL and then with each URL that it redirects to.
 * @throws UnfetchableUrl, TooManyRedirects
 */
export async function followRedirects<T extends object>(
  start: string,
  maxRedirects: number,
  send: (url: URL) => Promise<T | { location: string }>,
): Promise<T> {
  let next = start
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const url = readUrl(next)
    if (typeof url === 'string') throw new UnfetchableUrl(url)
    const result = await send(url)
    if (!('location' in result)) return result
    next = URL.canParse(result.location, url.href) ? new URL(result.location, url.href).href : result.location
  }
  throw new TooManyRedirects(`more than ${maxRedirects} redirects`)
}

/** The target of a redirect. */
export function redirectLocation(response: Dispatcher.ResponseData): string | undefined {
  return REDIRECTS.has(response.statusCode) ? firstHeader(response, 'location') : undefined
}

/** The first value of a header. */
export function firstHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Attributes of a span. */
function serverAddress({ hostname, port }: URL): { 'server.address': string; 'server.port'?: number } {
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) }
}

/** The agent makes a new connection for a request that was cancelled, and only then finds that it is not needed. */
function closeUnused(socket: Socket, afterMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesWritten === 0) socket.destroy()
  }, afterMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

import type { Dispatcher } from 'undici'
import { mayConnect, readUrl } from '@partsbus/platform/net/address-guard'
import { type AllowedHosts, readAllowedHosts } from '@partsbus/platform/net/allowed-hosts'
import { ByteBudget } from './byte-budget.js'
import { DeadHosts } from './dead-hosts.js'
import { Deadline } from './deadline.js'
import { type DownloadResult, failed, failedForNow } from './download-result.js'
import { HostAddresses, type Lookup } from '@partsbus/platform/net/host-addresses'
import { HostPools } from './host-pools.js'
import { isUnreachable, describeError } from './network-error.js'
import { header, MAX_BYTES, readBody } from './read-body.js'

const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Bodies in memory at a time, of all downloads together. */
const MEMORY_BYTES = 8 * MAX_BYTES
/** Read from other responses, so that their connection can be reused. */
const UNREAD_BYTES = 65_536
/** Further addresses of a name are not tried. */
const MAX_ADDRESSES = 4

export interface DownloaderOptions {
  lookup: Lookup
  connectionsPerHost: number
  /** limit of one image, redirects included */
  deadlineMs: number
  /** how long an unreachable host is not tried again */
  deadHostMs: number
}

/** Validators of the last download of a URL. */
export interface Validators {
  final_url: string
  etag: string | null
  last_modified: string | null
}

interface Attempt {
  allowed: AllowedHosts
  known: Validators | undefined
  deadline: Deadline
  signal: AbortSignal
}

/**
 * Downloads images from public and allowed addresses only: the address is checked after the lookup and at each
 * redirect, and the connection is made to the checked address (rules.md#images-guard).
 */
export class Downloader {
  private readonly options: DownloaderOptions
  private readonly addresses: HostAddresses
  private readonly pools: HostPools
  private readonly dead: DeadHosts
  private readonly budget = new ByteBudget(MEMORY_BYTES)

  constructor(options: DownloaderOptions) {
    this.options = options
    this.addresses = new HostAddresses(options.lookup)
    this.pools = new HostPools(options.connectionsPerHost)
    this.dead = new DeadHosts(options.deadHostMs)
  }

  /**
   * @param known sent as validators; if the server confirms them, the outcome is `unchanged`
   * @param stop aborts the download, which is then a transient failure
   */
  async download(
    url: string,
    allowedHosts: readonly string[],
    known: Validators | undefined,
    stop: AbortSignal,
  ): Promise<DownloadResult> {
    const deadline = new Deadline(this.options.deadlineMs, stop)
    const attempt = { allowed: readAllowedHosts(allowedHosts), known, deadline, signal: deadline.signal }
    try {
      let next = url
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const target = readUrl(next)
        if (typeof target === 'string') return failed(target)
        const result = await this.tryAddresses(target, attempt)
        if (!('location' in result)) return result
        next = URL.canParse(result.location, target.href) ? new URL(result.location, target.href).href : result.location
      }
      return failed(`more than ${MAX_REDIRECTS} redirects`)
    } finally {
      deadline.end()
    }
  }

  async close(): Promise<void> {
    await this.pools.close()
  }

  private async tryAddresses(url: URL, attempt: Attempt): Promise<DownloadResult | { location: string }> {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const dead = this.dead.reason(url.host)
    const addresses = dead ?? (await this.lookUp(url, attempt))
    if (typeof addresses === 'string') return failedForNow(addresses)
    // one forbidden address among several is enough: it may be the one that answers
    if (addresses.some((address) => !mayConnect(address, { hostname: url.hostname, port }, attempt.allowed)))
      return failed('the address is not public')
    let error: unknown
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        const result = await this.pools.use(url.origin, address, (pool) => this.request(pool, url, attempt))
        this.dead.answered(url.host)
        return result
      } catch (thrown) {
        error = thrown
        if (attempt.signal.aborted || !isUnreachable(thrown)) break
      }
    }
    return this.toFailure(url, error, attempt)
  }

  private toFailure(url: URL, error: unknown, attempt: Attempt): DownloadResult {
    const timedOut = attempt.deadline.passed
    const reason = timedOut ? 'the time limit was reached' : describeError(error)
    if (timedOut) this.dead.timedOut(url.host, reason)
    else if (isUnreachable(error)) this.dead.unreachable(url.host, reason)
    return failedForNow(reason)
  }

  /** @returns the addresses, or the reason why there are none */
  private async lookUp(url: URL, { signal, deadline }: Attempt): Promise<string[] | string> {
    const over = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true }),
    )
    over.catch(() => undefined)
    try {
      const addresses = await Promise.race([this.addresses.of(url.hostname), over])
      if (addresses.length > 0) return addresses
      this.dead.unreachable(url.host, 'the name has no address')
    } catch (error) {
      const reason = `the name cannot be resolved (${describeError(error)})`
      if (signal.aborted && !deadline.passed) return reason
      this.dead.unreachable(url.host, reason)
    }
    return this.dead.reason(url.host) ?? 'the name cannot be resolved'
  }

  private async request(pool: Dispatcher, url: URL, attempt: Attempt): Promise<DownloadResult | { location: string }> {
    const known = attempt.known?.final_url === url.href ? attempt.known : undefined
    const response = await pool.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal: attempt.signal,
      headers: {
        accept: 'image/webp,image/png,image/jpeg,image/gif',
        'accept-encoding': 'identity',
        'user-agent': 'Partsbus',
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
      },
    })
    // an unread body must not end the process when its connection breaks
    response.body.on('error', () => undefined)
    try {
      return await this.read(response, url, known !== undefined, attempt)
    } finally {
      if (!response.body.readableEnded) response.body.destroy()
    }
  }

  private async read(
    response: Dispatcher.ResponseData,
    url: URL,
    conditional: boolean,
    attempt: Attempt,
  ): Promise<DownloadResult | { location: string }> {
    const status = response.statusCode
    const location = REDIRECTS.has(status) ? header(response, 'location') : undefined
    if (status !== 200) await response.body.dump({ limit: UNREAD_BYTES, signal: attempt.signal })
    if (status === 304 && conditional) return { outcome: 'unchanged' }
    if (location !== undefined) return { location }
    if (status >= 500 || status === 408 || status === 429) return failedForNow(`HTTP ${status}`)
    if (status !== 200) return failed(`HTTP ${status}`)
    const body = await readBody(response, { budget: this.budget, deadline: attempt.deadline })
    if ('outcome' in body) return body
    const validators = {
      etag: header(response, 'etag') ?? null,
      last_modified: header(response, 'last-modified') ?? null,
    }
    return { outcome: 'downloaded', final_url: url.href, ...validators, ...body }
  }
}

import type { Dispatcher } from 'undici'
import {
  firstHeader,
  followRedirects,
  GuardedClient,
  redirectLocation,
  TooManyRedirects,
  UnfetchableUrl,
} from '@partsbus/platform/net/guarded-client'
import { ForbiddenAddress, type Lookup, LookupFailure } from '@partsbus/platform/net/host-addresses'
import { ByteBudget } from './byte-budget.js'
import { DeadHosts } from './dead-hosts.js'
import { Deadline } from './deadline.js'
import { type DownloadResult, failed, failedForNow } from './download-result.js'
import { isUnreachable, describeError } from './network-error.js'
import { MAX_BYTES, readBody } from './read-body.js'

const MAX_REDIRECTS = 3
const CONNECT_MS = 5_000
/** Bodies in memory at a time, of all downloads together; of one host a quarter. */
const MEMORY_BYTES = 8 * MAX_BYTES
/** Read from other responses, so that their connection can be reused. */
const UNREAD_BYTES = 65_536

export interface DownloaderOptions {
  /** the system's resolver by default */
  lookup?: Lookup
  connectionsPerHost: number
  /** limit of one image, redirects included */
  deadlineMs: number
  /** how long an unreachable host is not tried again */
  deadHostMs: number
  /** which of the hosts allowed by a request may still be reached; default: all */
  stillAllowed?: (requested: readonly string[]) => Promise<readonly string[]>
}

/** Validators of the last download of a URL. */
export interface Validators {
  final_url: string
  etag: string | null
  last_modified: string | null
}

interface Attempt {
  allowedHosts: readonly string[]
  known: Validators | undefined
  deadline: Deadline
}

/** Downloads images from public and allowed addresses only (rules.md#images-guard). */
export class Downloader {
  private readonly options: DownloaderOptions
  private readonly client: GuardedClient
  private readonly dead: DeadHosts
  private readonly budget = new ByteBudget(MEMORY_BYTES)

  constructor(options: DownloaderOptions) {
    this.options = options
    const { connectionsPerHost, deadlineMs, lookup } = options
    this.client = new GuardedClient({
      connectMs: Math.min(CONNECT_MS, deadlineMs),
      silenceMs: 0,
      connectionsPerHost,
      ...(lookup && { lookup }),
    })
    this.dead = new DeadHosts(options.deadHostMs)
  }

  /**
   * @param known sent as validators; if the server confirms them, the outcome is `unchanged`
   * @param stop aborts the download, which is then a transient failure
   */
  async download(
    url: string,
    requestedHosts: readonly string[],
    known: Validators | undefined,
    stop: AbortSignal,
  ): Promise<DownloadResult> {
    const allowedHosts = (await this.options.stillAllowed?.(requestedHosts)) ?? requestedHosts
    const deadline = new Deadline(this.options.deadlineMs, stop)
    try {
      return await followRedirects(url, MAX_REDIRECTS, (target) =>
        this.tryHost(target, { allowedHosts, known, deadline }),
      )
    } catch (error) {
      if (error instanceof UnfetchableUrl || error instanceof TooManyRedirects) return failed(error.message)
      throw error
    } finally {
      deadline.end()
    }
  }

  async close(): Promise<void> {
    await this.client.close()
  }

  private async tryHost(url: URL, attempt: Attempt): Promise<DownloadResult | { location: string }> {
    const dead = this.dead.reason(url.host)
    if (dead !== undefined) return failedForNow(dead)
    try {
      const result = await this.request(url, attempt)
      this.dead.answered(url.host)
      return result
    } catch (error) {
      if (error instanceof ForbiddenAddress) return failed('the address is not public')
      return this.toFailure(url, error, attempt)
    }
  }

  private toFailure(url: URL, error: unknown, { deadline }: Attempt): DownloadResult {
    if (error instanceof LookupFailure) {
      const reason = `the name cannot be resolved (${describeError(error.cause)})`
      this.dead.unreachable(url.host, reason)
      return failedForNow(reason)
    }
    const reason = deadline.passed ? 'the time limit was reached' : describeError(error)
    if (deadline.passed) this.dead.timedOut(url.host, reason)
    else if (isUnreachable(error)) this.dead.unreachable(url.host, reason)
    return failedForNow(reason)
  }

  private async request(url: URL, attempt: Attempt): Promise<DownloadResult | { location: string }> {
    const known = attempt.known?.final_url === url.href ? attempt.known : undefined
    const response = await this.client.request(url, {
      reach: 'public',
      allowedHosts: attempt.allowedHosts,
      signal: attempt.deadline.signal,
      headers: {
        accept: 'image/webp,image/png,image/jpeg,image/gif',
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
      },
    })
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
    const location = redirectLocation(response)
    if (status !== 200) await response.body.dump({ limit: UNREAD_BYTES, signal: attempt.deadline.signal })
    if (status === 304 && conditional) return { outcome: 'unchanged' }
    if (location !== undefined) return { location }
    if (status >= 500 || status === 408 || status === 429) return failedForNow(`HTTP ${status}`)
    if (status !== 200) return failed(`HTTP ${status}`)
    const body = await readBody(response, { host: url.host, budget: this.budget, deadline: attempt.deadline })
    if ('outcome' in body) return body
    const validators = {
      etag: firstHeader(response, 'etag') ?? null,
      last_modified: firstHeader(response, 'last-modified') ?? null,
    }
    return { outcome: 'downloaded', final_url: url.href, ...validators, ...body }
  }
}

import { randomUUID } from 'node:crypto'
import { AppError } from '@partsbus/contracts/app-error'
import { MinuteWindow } from './minute-window.js'

/** Requests that one gateway counted for one token. */
export interface CountReport {
  gateway: string
  /** identifies the token without revealing it */
  token: string
  /** requests by age in seconds */
  counts: number[]
}

/** Sends reports to the other gateways. It may lose some: each report replaces the one before it. */
export type SendReport = (report: CountReport) => void

/** Reports are collected for this long, in ms, until the limit is nearly reached. */
const REPORT_EVERY_MS = 50
/** From this share of the limit on, and always below this limit, each request is reported at once. */
const NEAR_LIMIT = 0.8
const SMALL_LIMIT = 100

/**
 * Requests a minute with one token, over all gateways (rules.md#rate-limit). Each gateway counts its own requests in a
 * sliding window and sends its counts to the others. One gateway keeps the limit exactly; several may exceed it by the
 * requests that arrive while a report is on its way.
 * @fastify/rate-limit does not fit: it hooks into single routes, so unknown paths would not count, and it cannot run
 * between the checks before it and the 404 after it.
 */
export class RateLimit {
  private readonly gateway: string = randomUUID()
  private readonly send: SendReport
  private token = ''
  private own = new MinuteWindow(0)
  private readonly others = new Map<string, MinuteWindow>()
  private timer: NodeJS.Timeout | undefined

  constructor(send: SendReport) {
    this.send = send
  }

  /**
   * Counts a request, or refuses it. Refused requests do not count, and a re-issued token starts at zero.
   * @param token its digest
   * @param limit null: no limit
   * @throws AppError RATE_LIMITED with the seconds until another request is admitted
   */
  count(token: string, limit: number | null, now = performance.now()): void {
    if (limit === null) return
    if (token !== this.token) this.reset(token, now)
    const total = this.total(now)
    // the window moves continuously through the oldest second, so a remainder below one request does not count
    if (total > limit - 1) {
      throw new AppError('RATE_LIMITED', 'Too many requests.', { details: { retryAfter: this.retryAfter(limit, now) } })
    }
    this.own.add(now)
    if (limit < SMALL_LIMIT) this.report(now)
    else this.scheduleReport(total > limit * NEAR_LIMIT ? 0 : REPORT_EVERY_MS)
  }

  /** Takes in the counts of another gateway; answers the first report of a gateway that has just started. */
  receive({ gateway, token, counts }: CountReport, now = performance.now()): void {
    if (gateway === this.gateway || token !== shortened(this.token)) return
    if (!this.others.has(gateway)) this.scheduleReport(0)
    this.others.set(gateway, new MinuteWindow(now, counts))
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private reset(token: string, now: number): void {
    this.token = token
    this.own = new MinuteWindow(now)
    this.others.clear()
  }

  private total(now: number): number {
    let total = this.own.total(now)
    for (const [gateway, window] of this.others) {
      const count = window.total(now)
      if (count === 0) this.others.delete(gateway)
      total += count
    }
    return total
  }

  private retryAfter(limit: number, now: number): number {
    const all: number[] = []
    for (const window of [this.own, ...this.others.values()]) {
      for (const [age, count] of window.snapshot(now).entries()) all[age] = (all[age] ?? 0) + count
    }
    return new MinuteWindow(now, all).secondsUntil(limit - 1, now)
  }

  private scheduleReport(delayMs: number): void {
    if (this.timer && delayMs > 0) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.report(performance.now()), delayMs).unref()
  }

  private report(now: number): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.send({
      gateway: this.gateway,
      token: shortened(this.token),
      counts: this.own.snapshot(now),
    })
  }
}

function shortened(digest: string): string {
  return digest.slice(0, 16)
}

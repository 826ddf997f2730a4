import { randomUUID } from 'node:crypto'
import { inFlightCallsSubject, processSubject } from '@partsbus/contracts/message'
import { errors, type NatsConnection, RequestError } from '@nats-io/transport-node'
import { inFlightReply } from './in-flight-calls.js'

interface WaitingCall {
  service: string
  since: number
  /** the process that said that it is working on the call */
  process?: string
  /** when no process claimed the call for the first time */
  unclaimedAt?: number
  /** called when no reply will come */
  lost: () => void
}

/** Period of the checks, with jitter, so that the processes of a fleet do not ask at the same time. */
const CHECK_EVERY_MS = 500
/** Calls that wait for longer are looked for. */
const LONG_MS = 1_000
/** The query for a call that nobody claims is repeated after this time: a busy process answers the second one. */
const CONFIRM_MS = 600
/** Interval of the checks whether a process that claimed a call still runs. */
const PROBE_EVERY_MS = 2_000
/** How often the processes of a service in use are counted, so that one that falls silent is noticed. */
const COUNT_EVERY_MS = 10_000
const REPLY_TIMEOUT_MS = 1_000
/** How long to wait for the next process after one that replied. */
const STALL_MS = 300

/*
 * A killed process sends no reply, and the bus does not say which calls it had received. Per waiting call:
 *
 *   waiting → unclaimed (long, no process claims it) → lost (still unclaimed at the second query)
 *           → claimed (a process is working on it)   → lost (that process has ended)
 *
 * Messages keep their order, so a process that received a call knows it when the query arrives. A process that was seen
 * before and does not reply has either ended, which the bus reports, or is frozen; a frozen one may have the call, so
 * the call waits on. Only unclaimed calls are asked for with a broadcast to all processes of the service, at most one
 * at a time; a claimed call costs one small request to its process every other second.
 */
export class OrphanedCallDetector {
  private readonly connection: () => NatsConnection
  private readonly waiting = new Map<string, WaitingCall>()
  /** processes seen so far, by service */
  private readonly known = new Map<string, Set<string>>()
  /** services that have ever reported their calls; nothing can be said about others */
  private readonly reporting = new Set<string>()
  private readonly askedAt = new Map<string, number>()
  private readonly probedAt = new Map<string, number>()
  private readonly asking = new Set<string>()
  private readonly prefix = `${randomUUID().slice(0, 8)}-`
  private calls = 0
  private timer: NodeJS.Timeout | undefined

  constructor(connection: () => NatsConnection) {
    this.connection = connection
  }

  /** @returns the id of the call, to be sent with it and passed to {@link remove} */
  add(service: string, lost: () => void): string {
    const call = this.prefix + (this.calls += 1).toString(36)
    this.waiting.set(call, { service, since: performance.now(), lost })
    this.schedule()
    return call
  }

  remove(call: string): void {
    this.waiting.delete(call)
  }

  private schedule(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined
        this.check()
        if (this.waiting.size > 0) this.schedule()
      },
      CHECK_EVERY_MS * (0.8 + Math.random() * 0.4),
    ).unref()
  }

  private check(): void {
    const now = performance.now()
    const unclaimed = new Map<string, string[]>()
    const claimed = new Map<string, string>()
    for (const [call, { service, since, process }] of this.waiting) {
      const calls = unclaimed.get(service) ?? []
      unclaimed.set(service, calls)
      if (process !== undefined) claimed.set(process, service)
      else if (now - since > LONG_MS) calls.push(call)
    }
    for (const [service, calls] of unclaimed) {
      const every = calls.length > 0 ? CONFIRM_MS : COUNT_EVERY_MS
      if (this.asking.has(service) || now - (this.askedAt.get(service) ?? -Infinity) < every) continue
      this.askedAt.set(service, now)
      this.asking.add(service)
      // a failed question is repeated by the next check
      void this.ask(service, calls)
        .catch(() => undefined)
        .finally(() => this.asking.delete(service))
    }
    for (const [process, service] of claimed) {
      if (now - (this.probedAt.get(process) ?? now - PROBE_EVERY_MS / 2) < PROBE_EVERY_MS) continue
      this.probedAt.set(process, now)
      void this.probe(service, process)
    }
    for (const process of this.probedAt.keys()) if (!claimed.has(process)) this.probedAt.delete(process)
  }

  /** Asks all processes of a service which of these calls they are handling, and counts the processes. */
  private async ask(service: string, calls: string[]): Promise<void> {
    const known = this.known.get(service) ?? new Set()
    this.known.set(service, known)
    const silent = new Set(known)
    let replies = 0
    try {
      const responses = await this.connection().requestMany(inFlightCallsSubject(service), JSON.stringify({ calls }), {
        strategy: 'stall',
        maxWait: REPLY_TIMEOUT_MS,
        stall: STALL_MS,
      })
      for await (const message of responses) {
        const { process, held } = inFlightReply.parse(message.json())
        replies += 1
        this.reporting.add(service)
        known.add(process)
        silent.delete(process)
        for (const call of held) this.claim(call, process)
      }
    } catch (error) {
      if (!isNobody(error) || !this.reporting.has(service)) return
      known.clear()
      for (const call of calls) this.waiting.get(call)?.lost()
      return
    }
    if (replies === 0) return
    for (const process of silent) {
      if (!(await this.isGone(service, process))) return
      known.delete(process)
    }
    this.loseUnclaimed(calls)
  }

  private claim(call: string, process: string): void {
    const waiting = this.waiting.get(call)
    if (!waiting) return
    waiting.process = process
    this.probedAt.set(process, performance.now())
  }

  private loseUnclaimed(calls: string[]): void {
    const now = performance.now()
    for (const call of calls) {
      const waiting = this.waiting.get(call)
      if (!waiting || waiting.process !== undefined) continue
      waiting.unclaimedAt ??= now
      if (waiting.unclaimedAt !== now) waiting.lost()
    }
  }

  private async probe(service: string, process: string): Promise<void> {
    if (!(await this.isGone(service, process))) return
    this.known.get(service)?.delete(process)
    for (const waiting of this.waiting.values()) if (waiting.process === process) waiting.lost()
  }

  private async isGone(service: string, process: string): Promise<boolean> {
    return this.connection()
      .request(processSubject(service, process), '', { timeout: REPLY_TIMEOUT_MS })
      .then(() => false, isNobody)
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof RequestError && error.isNoResponders())
}

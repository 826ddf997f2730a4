import { inFlightCallsSubject, processSubject } from '@partsbus/contracts/message'
import { errors, type NatsConnection, RequestError } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import type { InFlightReply } from './in-flight-calls.js'

interface WaitingCall {
  service: string
  since: number
  /** it will not be answered any more */
  lost: () => void
}

const LOOK_EVERY_MS = 500
/** Calls that wait for longer are asked for. */
const LONG_MS = 1_000
/** How often the processes of a service in use are counted, so that one that falls silent is missed. */
const COUNT_EVERY_MS = 5_000
const ANSWER_MS = 1_000
/** How long the next process may take to answer after one that has. */
const STALL_MS = 300

/*
 * A process that is killed answers nothing more, and the bus does not say what it had taken. So calls that wait for long are
 * asked for: each process of the service names those that it holds. Messages keep their order, so whoever took a call knows
 * of it when he is asked. A call is lost when nobody holds it and nobody is missing: a process that was seen before and does
 * not answer is either gone, which the bus says, or frozen, and then it may hold the call and the call waits on.
 */
export class OrphanedCallDetector {
  private readonly connection: () => NatsConnection
  private readonly waiting = new Map<string, WaitingCall>()
  /** processes by service, as far as they were seen */
  private readonly known = new Map<string, Set<string>>()
  /** services that have ever told what they hold; of others nothing can be said */
  private readonly telling = new Set<string>()
  private readonly countedAt = new Map<string, number>()
  private readonly looking = new Set<string>()
  private readonly prefix = `${randomUUID().slice(0, 8)}-`
  private calls = 0
  private timer: NodeJS.Timeout | undefined

  constructor(connection: () => NatsConnection) {
    this.connection = connection
  }

  /** @returns the call's name, to be sent with it and taken back by {@link remove} */
  add(service: string, lost: () => void): string {
    const call = this.prefix + (this.calls += 1).toString(36)
    this.waiting.set(call, { service, since: performance.now(), lost })
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref()
    return call
  }

  remove(call: string): void {
    this.waiting.delete(call)
  }

  private look(): void {
    const now = performance.now()
    const inUse = new Map<string, string[]>()
    for (const [call, { service, since }] of this.waiting) {
      const long = inUse.get(service) ?? []
      if (now - since > LONG_MS) long.push(call)
      inUse.set(service, long)
    }
    if (inUse.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    for (const [service, long] of inUse) {
      if (this.looking.has(service)) continue
      if (long.length === 0 && now - (this.countedAt.get(service) ?? -Infinity) < COUNT_EVERY_MS) continue
      this.countedAt.set(service, now)
      this.looking.add(service)
      this.ask(service, long)
        .then(
          (lost) => {
            for (const call of lost) this.waiting.get(call)?.lost()
          },
          () => undefined,
        )
        .finally(() => this.looking.delete(service))
    }
  }

  /** @returns those of the calls that nobody will answer */
  private async ask(service: string, calls: string[]): Promise<string[]> {
    const known = this.known.get(service) ?? new Set()
    this.known.set(service, known)
    const silent = new Set(known)
    const held = new Set<string>()
    let answers = 0
    try {
      const replies = await this.connection().requestMany(inFlightCallsSubject(service), JSON.stringify({ calls }), {
        strategy: 'stall',
        maxWait: ANSWER_MS,
        stall: STALL_MS,
      })
      for await (const message of replies) {
        const reply = message.json<InFlightReply>()
        answers += 1
        this.telling.add(service)
        known.add(reply.process)
        silent.delete(reply.process)
        for (const call of reply.held) held.add(call)
      }
    } catch (error) {
      if (!isNobody(error) || !this.telling.has(service)) return []
      known.clear()
      return calls
    }
    if (answers === 0) return []
    for (const process of silent) {
      if (!(await this.isGone(service, process))) return []
      known.delete(process)
    }
    return calls.filter((call) => !held.has(call))
  }

  private async isGone(service: string, process: string): Promise<boolean> {
    return this.connection()
      .request(processSubject(service, process), '', { timeout: ANSWER_MS })
      .then(() => false, isNobody)
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof errors.NoRespondersError || (error instanceof RequestError && error.isNoResponders())
}

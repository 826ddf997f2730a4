import { AppError, texts } from '@partsbus/contracts/errors'
import { createInbox, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import { type BusConnection, busUnavailable } from './connection.js'
import { WriteCoalescer } from './write-coalescer.js'

/** How exactly deadlines are kept, in milliseconds. */
const TICK_MS = 50
const NO_RESPONDERS = 503

interface Waiting {
  subject: string
  /** on the clock of `performance` */
  deadline: number
  done: (reply: Msg) => void
  fail: (error: unknown) => void
}

/**
 * Requests that wait for their replies. Each is answered once: by its reply, by the server when nobody listens, at its deadline,
 * or when the connection is lost. One subscription and one timer serve all of them; the client's own requests cost each a timer,
 * three promises and an error.
 */
export class PendingRequests {
  private readonly bus: BusConnection
  private readonly queue: WriteCoalescer
  private readonly waiting = new Map<string, Waiting>()
  private inbox: string | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(bus: BusConnection) {
    this.bus = bus
    this.queue = new WriteCoalescer(() => bus.nc)
    bus.onLoss(() => this.failAll(() => true, busUnavailable))
    bus.onRefused((refused) => this.failAll(({ subject }) => subject === refused, busUnavailable))
  }

  /**
   * @param token names the request, no other one ever, and is a part of its reply's subject
   * @throws AppError UNAVAILABLE when nobody listens or the bus is away, TIMEOUT; else what the client says
   */
  ask(token: string, subject: string, data: Uint8Array, headers: MsgHdrs, timeoutMs: number): Promise<Msg> {
    const reply = `${this.openInbox()}${token}`
    return new Promise((done, fail) => {
      this.waiting.set(token, { subject, deadline: performance.now() + timeoutMs, done, fail })
      this.timer ??= setInterval(() => this.tick(), TICK_MS)
      this.queue.push(subject, data, { reply, headers }, (error) => this.take(token)?.fail(error))
    })
  }

  /** It will not be answered any more. */
  fail(token: string, error: AppError): void {
    this.take(token)?.fail(error)
  }

  private openInbox(): string {
    if (this.inbox !== undefined) return this.inbox
    const inbox = `${createInbox(this.bus.inboxPrefix)}.`
    this.bus.nc.subscribe(`${inbox}*`, {
      callback: (error, reply) => {
        if (error) return
        const waiting = this.take(reply.subject.slice(inbox.length))
        if (!waiting) return
        if (reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS) waiting.fail(busUnavailable())
        else waiting.done(reply)
      },
    })
    this.inbox = inbox
    return inbox
  }

  private take(token: string): Waiting | undefined {
    const waiting = this.waiting.get(token)
    this.waiting.delete(token)
    return waiting
  }

  private tick(): void {
    const now = performance.now()
    for (const [token, { deadline }] of this.waiting) {
      if (deadline <= now) this.take(token)?.fail(new AppError('TIMEOUT', texts.timeout))
    }
    if (this.waiting.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private failAll(concerns: (waiting: Waiting) => boolean, error: () => AppError): void {
    for (const [token, waiting] of this.waiting) if (concerns(waiting)) this.take(token)?.fail(error())
  }
}

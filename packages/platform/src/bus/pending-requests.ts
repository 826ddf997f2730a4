import { AppError, texts } from '@partsbus/contracts/app-error'
import { createInbox, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import { type BusConnection, busUnavailable } from './connection.js'
import { WriteCoalescer } from './write-coalescer.js'

/** Accuracy of deadlines, in milliseconds. */
const TICK_MS = 50
const NO_RESPONDERS = 503

interface PendingRequest {
  subject: string
  /** on the clock of `performance` */
  deadline: number
  resolve: (reply: Msg) => void
  reject: (error: unknown) => void
}

/**
 * Requests that wait for their replies. Each is settled once: by its reply, by the server when nobody listens, at its
 * deadline, or when the connection is lost. One subscription and one timer serve all of them
 * (docs/decisions/0021-bus-request-path.md).
 */
export class PendingRequests {
  private readonly bus: BusConnection
  private readonly writes: WriteCoalescer
  private readonly pending = new Map<string, PendingRequest>()
  private inbox: string | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(bus: BusConnection) {
    this.bus = bus
    this.writes = new WriteCoalescer(() => bus.nc)
    bus.onLoss(() => this.rejectAll(() => true))
    bus.onRefused((refused) => this.rejectAll(({ subject }) => subject === refused))
  }

  /**
   * @param token unique id of the request, the last part of its reply subject
   * @throws AppError UNAVAILABLE when nobody listens or the bus is down, TIMEOUT; else the error of the client
   */
  send(token: string, subject: string, data: Uint8Array, headers: MsgHdrs, timeoutMs: number): Promise<Msg> {
    const reply = `${this.openInbox()}${token}`
    return new Promise((resolve, reject) => {
      this.pending.set(token, { subject, deadline: performance.now() + timeoutMs, resolve, reject })
      this.timer ??= setInterval(() => this.rejectExpired(), TICK_MS)
      this.writes.push(subject, data, { reply, headers }, (error) => this.reject(token, error))
    })
  }

  /** Settles a request that will not be answered any more. */
  reject(token: string, error: unknown): void {
    this.remove(token)?.reject(error)
  }

  private openInbox(): string {
    if (this.inbox !== undefined) return this.inbox
    const inbox = `${createInbox(this.bus.inboxPrefix)}.`
    this.bus.nc.subscribe(`${inbox}*`, {
      callback: (error, reply) => {
        if (!error) this.settle(reply.subject.slice(inbox.length), reply)
      },
    })
    this.inbox = inbox
    return inbox
  }

  /** Must not throw: the client would stop reading the connection. Malformed headers throw when they are read. */
  private settle(token: string, reply: Msg): void {
    const request = this.remove(token)
    if (!request) return
    try {
      if (reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS) request.reject(busUnavailable())
      else request.resolve(reply)
    } catch (error) {
      request.reject(error)
    }
  }

  private remove(token: string): PendingRequest | undefined {
    const request = this.pending.get(token)
    this.pending.delete(token)
    return request
  }

  private rejectExpired(): void {
    const now = performance.now()
    for (const [token, { deadline }] of this.pending) {
      if (deadline <= now) this.reject(token, new AppError('TIMEOUT', texts.timeout))
    }
    if (this.pending.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private rejectAll(matches: (request: PendingRequest) => boolean): void {
    for (const [token, request] of this.pending) if (matches(request)) this.reject(token, busUnavailable())
  }
}

import { AppError, texts, type WireError } from '@partsbus/contracts/app-error'
import { busHeaders, subjectOfProcess } from '@partsbus/contracts/message'
import { NatsContext, ServerNats } from '@nestjs/microservices'
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node'
import { lastValueFrom } from 'rxjs'
import { Semaphore } from '../async/semaphore.js'
import { toAppError } from '../mongo/to-app-error.js'
import type { Log } from '../process/log.js'
import type { Metrics } from '../process/metrics.js'
import type { QueueDelays } from '../process/queue-delay.js'
import { addSpanEvent, failSpan, traceMessage } from '../process/spans.js'
import { currentScope, runInScope } from './call-scope.js'
import { countBatch, writeCounts } from './batch-counts.js'
import { ReplyWithHeaders } from './reply-with-headers.js'
import { encodeHeaders } from './encoded-headers.js'
import { fitBatch, fitError } from './fit-message.js'
import { InFlightCalls } from './in-flight-calls.js'
import { LoadLimit } from './load-limit.js'
import { checkHeaders, readHeaders } from './read-headers.js'
import { subscribe } from './subscribe.js'
import { WriteCoalescer } from './write-coalescer.js'

/** Bytes of the bodies of requests in progress; beyond them requests are answered OVERLOADED. */
const MAX_BYTES_IN_FLIGHT = 32 * 1024 * 1024
/** Longest wait for the server to confirm that no more messages are coming; a server that is down never confirms. */
const DRAIN_MS = 3_000

export interface BusServerOptions {
  nc: NatsConnection
  queue: string
  log: Log
  metrics: Metrics
  /** returns the error to answer with while a dependency that every request needs is down */
  gate: () => AppError | undefined
  /** how long work queues in this process; without it the number of requests is limited alone */
  readDelays?: () => QueueDelays
  /** calls of high priority that are worked on at once, so that they leave connections to others; default: all */
  urgentSlots?: number
}

/*
 * A Nest transport that answers plain JSON on a shared connection.
 * listening → draining (close) → closed. While listening, every message gets exactly one reply, a result or an error;
 * draining receives no new messages and answers those that were delivered.
 * Nest's own envelope, reply queue and shutdown are not used: docs/decisions/0004-nest-at-the-edge.md.
 */
export class BusServer extends ServerNats {
  private readonly bus: BusServerOptions
  private readonly listening: Subscription[] = []
  private readonly pending = new Set<Promise<void>>()
  private readonly inFlight: InFlightCalls
  private readonly load: LoadLimit
  /**
   * Slots for calls of high priority, which would otherwise occupy every connection of the pool: reads would wait
   * behind all that came before, from however many gateways.
   */
  private readonly urgent: Semaphore
  private readonly replies: WriteCoalescer
  private readonly serialized = new WeakMap<object, Uint8Array>()
  private bytesInFlight = 0
  private isSubscribed = false

  constructor(bus: BusServerOptions) {
    super({ queue: bus.queue })
    this.bus = bus
    this.replies = new WriteCoalescer(() => bus.nc)
    this.urgent = new Semaphore(bus.urgentSlots ?? Infinity)
    this.load = new LoadLimit(() => this.readDelays())
    this.inFlight = new InFlightCalls(bus.log, () => this.replies.flush())
  }

  /** The name of this process, by which callers reach it and no other one of its service. */
  get process(): string {
    return this.inFlight.process
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    await this.subscribe()
    callback()
  }

  /** Subscribes to the subjects of all handlers, once. */
  async subscribe(): Promise<void> {
    if (this.isSubscribed) return
    this.isSubscribed = true
    const { nc, queue, log } = this.bus
    for (const [subject, { extras }] of this.messageHandlers) {
      const receive = (message: Msg): void => this.accept(subject, message)
      this.listening.push(
        extras?.ofProcess
          ? subscribe(nc, subjectOfProcess(subject, this.process), { log }, receive)
          : subscribe(nc, subject, { queue, log }, receive),
      )
    }
    this.inFlight.listen(nc, queue)
    // requests sent after readiness must find the subscriptions; a connection that is lost subscribes again by itself
    await nc.flush().catch(() => undefined)
  }

  /** Receives no new messages and waits for the pending ones. The connection stays open for its owner to close. */
  override async close(): Promise<void> {
    // a subscription that cannot be drained belongs to a lost connection, which delivers nothing more
    await withDeadline(
      DRAIN_MS,
      Promise.all(this.listening.splice(0).map((subscription) => subscription.drain().catch(() => undefined))),
    )
    while (this.pending.size > 0) await Promise.allSettled(this.pending)
    this.load.stop()
    // replies must be sent before the bus reports to callers that this process has ended
    this.replies.flush()
    this.inFlight.close()
    await withDeadline(
      DRAIN_MS,
      this.bus.nc.flush().catch(() => undefined),
    )
  }

  /** Resolves when the requests that the bus had delivered before have been answered. */
  async drain(): Promise<void> {
    await this.bus.nc.flush()
    await Promise.allSettled(this.pending)
  }

  private accept(subject: string, message: Msg): void {
    const size = message.data.length
    const { call, headers, scope, until } = readHeaders(message)
    if (call) this.inFlight.add(call)
    this.bytesInFlight += size
    const end = this.bus.metrics.messages.startTimer({ messaging_destination_name: subject })
    const traced = (): Promise<string> =>
      traceMessage(subject, 'consumer', headers, () => this.answer(subject, message, until))
    const work = runInScope(scope, traced).then((code) => {
      this.bytesInFlight -= size
      if (call) this.inFlight.remove(call)
      this.pending.delete(work)
      this.bus.metrics.inFlight.set(this.pending.size)
      end({ error_type: code })
    })
    this.pending.add(work)
    this.bus.metrics.inFlight.set(this.pending.size)
  }

  /** @returns the error code of the reply, or `''` */
  private async answer(subject: string, message: Msg, until: number): Promise<string> {
    try {
      const refusal = this.bus.gate()
      if (refusal) throw refusal
      checkHeaders(message)
      const reply = await this.limit(subject, until, () => this.handle(subject, message))
      this.reply(message, this.isUrgent(subject) ? this.withCounts(subject, reply) : reply)
      return ''
    } catch (thrown) {
      const error = toAppError(thrown)
      failSpan(error)
      if (error.code === 'INTERNAL') {
        this.bus.metrics.failures.inc({ error_type: error.cause instanceof Error ? error.cause.name : 'unknown' })
        this.bus.log.error({ err: error.cause ?? error, subject }, 'request failed')
      } else if (error.code === 'UNAVAILABLE') {
        this.bus.log.warn({ err: error.cause ?? error, subject }, 'dependency unavailable')
      }
      this.replyError(message, error)
      return error.code
    }
  }

  /** Works on a message within the limits of this process. @throws AppError OVERLOADED */
  private async limit<T>(subject: string, until: number, work: () => Promise<T>): Promise<T> {
    const isUrgent = this.isUrgent(subject)
    if (this.bytesInFlight > MAX_BYTES_IN_FLIGHT || !this.load.enter(isUrgent)) {
      throw new AppError('OVERLOADED', texts.unavailable)
    }
    try {
      if (!isUrgent) return await work()
      const scope = currentScope()
      return await this.urgent.run({ until }, (endTurn) => runInScope(scope && { ...scope, endTurn }, work))
    } finally {
      this.load.leave(isUrgent)
    }
  }

  private readDelays(): QueueDelays {
    const { eventLoop, connection } = this.bus.readDelays?.() ?? NO_DELAYS
    return { eventLoop, connection: Math.max(connection, this.urgent.delay()) }
  }

  private isUrgent(subject: string): boolean {
    return this.messageHandlers.get(subject)?.extras?.priority === 'high'
  }

  /** Logs what a batch did, and tells the gateway without a need to parse the reply. */
  private withCounts(subject: string, reply: unknown): unknown {
    const counts = countBatch(reply)
    if (!counts) return reply
    this.bus.log.info({ subject, ...counts }, 'batch processed')
    return new ReplyWithHeaders(reply, [[busHeaders.batchCounts, writeCounts(counts)]])
  }

  private async handle(subject: string, message: Msg): Promise<unknown> {
    const handler = this.messageHandlers.get(subject)
    if (!handler) throw new AppError('INTERNAL', texts.internal)
    addSpanEvent('handling')
    const context = new NatsContext([message.subject, message.headers])
    return lastValueFrom(this.transformToObservable(await handler(message, context)))
  }

  private reply(message: Msg, reply: unknown): void {
    if (!message.reply || this.bus.nc.isClosed()) return
    if (reply instanceof ReplyWithHeaders) {
      this.publish(message.reply, this.fit(reply.body, MAX_HEADER_BYTES), encodeHeaders(reply.headers))
    } else this.publish(message.reply, this.fit(reply))
  }

  /** @throws AppError TOO_LARGE */
  private fit(reply: unknown, headerBytes = 0): Uint8Array {
    const body = this.serialize(reply)
    if (body.length <= this.maxPayload - headerBytes) return body
    const shortened = fitBatch(reply, this.maxPayload - headerBytes)
    if (shortened === undefined) {
      throw new AppError('TOO_LARGE', texts.replyTooLarge)
    }
    return this.serialize(shortened)
  }

  /** One reply may answer many requests when a service coalesces them, so each object is serialized once. */
  private serialize(reply: unknown): Uint8Array {
    if (reply instanceof Uint8Array) return reply
    const isObject = typeof reply === 'object' && reply !== null
    const known = isObject ? this.serialized.get(reply) : undefined
    if (known) return known
    const body = Buffer.from(JSON.stringify(reply))
    if (isObject) this.serialized.set(reply, body)
    return body
  }

  private replyError(message: Msg, error: AppError): void {
    if (!message.reply || this.bus.nc.isClosed()) return
    const { code, details } = error
    const wire: WireError = { code, message: error.message, ...(details !== undefined && { details }) }
    let body = Buffer.from(JSON.stringify(wire))
    if (body.length > this.maxPayload - MAX_HEADER_BYTES) {
      body = Buffer.from(JSON.stringify(fitError(wire, this.maxPayload - MAX_HEADER_BYTES)))
    }
    this.publish(message.reply, body, encodeHeaders([[busHeaders.error, code]]))
  }

  private get maxPayload(): number {
    return this.bus.nc.info?.max_payload ?? Infinity
  }

  private publish(reply: string, body: Uint8Array, headers?: MsgHdrs): void {
    this.replies.push(reply, body, headers ? { headers } : {}, (error) =>
      this.bus.log.error({ err: error }, 'reply not sent'),
    )
  }
}

const NO_DELAYS: QueueDelays = { eventLoop: 0, connection: 0 }

/** Of the headers of a reply. */
const MAX_HEADER_BYTES = 4_096

async function withDeadline(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>((done) => {
    timer = setTimeout(done, ms)
  })
  await Promise.race([work, deadline])
  clearTimeout(timer)
}

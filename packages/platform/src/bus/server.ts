import { AppError, texts, type WireError } from '@partsbus/contracts/errors'
import { busHeaders } from '@partsbus/contracts/message'
import { NatsContext, ServerNats } from '@nestjs/microservices'
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import { lastValueFrom } from 'rxjs'
import { runInScope } from './call-scope.js'
import { toAppError } from '../mongo/to-app-error.js'
import { InFlightCalls } from './in-flight-calls.js'
import type { Log } from '../process/log.js'
import type { Metrics } from '../process/metrics.js'
import { encodeHeaders } from './encoded-headers.js'
import { WriteCoalescer } from './write-coalescer.js'
import { traceMessage } from '../process/telemetry.js'

/** Bytes and number of requests that may be in work at once; beyond that the caller is told to come again. */
const MAX_BYTES_IN_FLIGHT = 32 * 1024 * 1024
const MAX_IN_FLIGHT = 1_000
/** How long the bus may take to say that nothing more is on its way; one that is away never says it. */
const DRAIN_MS = 3_000

/*
 * A Nest transport that answers plain JSON on one shared connection.
 * listening → draining (close) → closed. While listening every message is answered exactly once, with the
 * reply or with an error; draining takes no new messages, answers those delivered, and then lets go.
 * Nest's own envelope, its reply queue and its shutdown are not used: docs/decisions/0004-nest-at-the-edge.md.
 */
export class BusServer extends ServerNats {
  private readonly bus: {
    nc: NatsConnection
    queue: string
    log: Log
    metrics: Metrics
    gate: () => AppError | undefined
  }
  private readonly taken: Subscription[] = []
  private readonly inWork = new Set<Promise<void>>()
  private readonly held: InFlightCalls
  private readonly answers: WriteCoalescer
  private readonly printed = new WeakMap<object, Uint8Array>()
  private bytes = 0
  private isSubscribed = false

  /** @param bus.gate gives the error to answer with while something the service cannot do without is away */
  constructor(bus: {
    nc: NatsConnection
    queue: string
    log: Log
    metrics: Metrics
    gate: () => AppError | undefined
  }) {
    super({ queue: bus.queue })
    this.bus = bus
    this.answers = new WriteCoalescer(() => bus.nc)
    // a call that is held no more must have its answer on the way
    this.held = new InFlightCalls(() => this.answers.flush())
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    await this.subscribe()
    callback()
  }

  /** Subscribes to the subjects of all handlers, once. */
  async subscribe(): Promise<void> {
    if (this.isSubscribed) return
    this.isSubscribed = true
    for (const subject of this.messageHandlers.keys()) {
      this.taken.push(
        this.bus.nc.subscribe(subject, {
          queue: this.bus.queue,
          callback: (error, message) => {
            if (error) this.bus.log.error({ err: error, subject }, 'subscription failed')
            else this.accept(subject, message)
          },
        }),
      )
    }
    this.held.listen(this.bus.nc, this.bus.queue)
    // a request sent after readiness must find the subscriptions at the server
    await this.bus.nc.flush().catch(() => undefined)
  }

  /** Takes no new messages, waits for those in work. The connection stays open for its owner to close. */
  override async close(): Promise<void> {
    await atMost(
      DRAIN_MS,
      Promise.all(this.taken.splice(0).map((subscription) => subscription.drain().catch(() => undefined))),
    )
    while (this.inWork.size > 0) await Promise.allSettled(this.inWork)
    // answers before the news that nobody is here any more
    this.answers.flush()
    this.held.close()
    await atMost(
      DRAIN_MS,
      this.bus.nc.flush().catch(() => undefined),
    )
  }

  private accept(subject: string, message: Msg): void {
    const size = message.data.length
    const call = message.headers?.get(busHeaders.call)
    if (call) this.held.hold(call)
    this.bytes += size
    const end = this.bus.metrics.messages.startTimer({ messaging_destination_name: subject })
    const scope = {
      requestId: message.headers?.get(busHeaders.requestId) || randomUUID(),
      traceparent: message.headers?.get(busHeaders.traceparent) ?? '',
    }
    const work = runInScope(scope, () => this.answer(subject, message)).then((code) => {
      this.bytes -= size
      if (call) this.held.release(call)
      this.inWork.delete(work)
      this.bus.metrics.inFlight.set(this.inWork.size)
      end({ error_type: code })
    })
    this.inWork.add(work)
    this.bus.metrics.inFlight.set(this.inWork.size)
  }

  /** @returns the error code answered, or `''` */
  private async answer(subject: string, message: Msg): Promise<string> {
    try {
      const refused = this.overload() ?? this.bus.gate()
      if (refused) throw refused
      const reply = await traceMessage(subject, 'consumer', message.headers, () => this.handle(subject, message))
      this.respond(message, this.print(reply))
      return ''
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'INTERNAL') {
        this.bus.metrics.failures.inc({ error_type: error.cause instanceof Error ? error.cause.name : 'unknown' })
        this.bus.log.error({ err: error.cause ?? error, subject }, 'request failed')
      } else if (error.code === 'UNAVAILABLE') {
        this.bus.log.warn({ err: error.cause ?? error, subject }, 'dependency away')
      }
      this.respondError(message, error)
      return error.code
    }
  }

  private overload(): AppError | undefined {
    if (this.inWork.size < MAX_IN_FLIGHT && this.bytes <= MAX_BYTES_IN_FLIGHT) return undefined
    return new AppError('OVERLOADED', texts.unavailable)
  }

  private async handle(subject: string, message: Msg): Promise<unknown> {
    const handler = this.messageHandlers.get(subject)
    if (!handler) throw new AppError('INTERNAL', texts.internal)
    const context = new NatsContext([message.subject, message.headers])
    return lastValueFrom(this.transformToObservable(await handler(message, context)))
  }

  /** One reply may answer many requests, when a service shares its work among them; it must not be changed afterwards. */
  private print(reply: unknown): Uint8Array {
    if (reply instanceof Uint8Array) return reply
    const isObject = typeof reply === 'object' && reply !== null
    const known = isObject ? this.printed.get(reply) : undefined
    if (known) return known
    const body = Buffer.from(JSON.stringify(reply))
    if (isObject) this.printed.set(reply, body)
    return body
  }

  private respond(message: Msg, body: Uint8Array): void {
    if (!message.reply || this.bus.nc.isClosed()) return
    if (body.length > (this.bus.nc.info?.max_payload ?? Infinity)) {
      throw new AppError('TOO_LARGE', 'The answer is too large; ask for less at once.')
    }
    this.publish(message.reply, body)
  }

  private respondError(message: Msg, error: AppError): void {
    if (!message.reply || this.bus.nc.isClosed()) return
    const body: WireError = {
      code: error.code,
      message: error.message,
      ...(error.details !== undefined && { details: error.details }),
    }
    this.publish(message.reply, Buffer.from(JSON.stringify(body)), encodeHeaders([[busHeaders.error, error.code]]))
  }

  private publish(reply: string, body: Uint8Array, headers?: MsgHdrs): void {
    this.answers.push(reply, body, headers ? { headers } : {}, (error) =>
      this.bus.log.error({ err: error }, 'an answer could not be sent'),
    )
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((done) => {
    timer = setTimeout(done, ms)
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}

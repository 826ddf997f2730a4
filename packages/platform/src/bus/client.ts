import { AppError, type ErrorCode, isErrorCode, texts, type WireError } from '@partsbus/contracts/app-error'
import {
  busHeaders,
  type BatchCommand,
  type Command,
  type ReplyOf,
  type RequestOf,
  subjectOfProcess,
} from '@partsbus/contracts/message'
import type { BatchOptions } from '@partsbus/contracts/batch-options'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import type { Msg, MsgHdrs } from '@nats-io/transport-node'
import { type BusConnection, busUnavailable } from './connection.js'
import { OrphanedCallDetector } from './orphaned-call-detector.js'
import { type CallScope, currentScope } from './call-scope.js'
import type { Metrics } from '../process/metrics.js'
import { encodeHeaders } from './encoded-headers.js'
import { PendingRequests } from './pending-requests.js'
import { traceHeaders, traceMessage } from '../process/spans.js'

export interface CallOptions {
  timeoutMs?: number
  settings?: CallSettings
  /** of a batch */
  batch?: BatchOptions | undefined
  /** the one that is to answer a command that is `ofProcess` */
  process?: string
  /** the request that this call belongs to; default: {@link currentScope} */
  scope?: CallScope
  /** gets the headers of the reply */
  onReplyHeaders?: (headers: MsgHdrs | undefined) => void
}

const DEFAULT_TIMEOUT_MS = 5_000

/**
 * Calls other services. Every call has a deadline. It fails with UNAVAILABLE at once when the service is not running,
 * and within seconds when the process that received the call died.
 */
export class BusClient {
  private readonly bus: BusConnection
  private readonly metrics: Metrics
  private readonly detector: OrphanedCallDetector
  private readonly pending: PendingRequests

  constructor(bus: BusConnection, metrics: Metrics) {
    this.bus = bus
    this.metrics = metrics
    this.detector = new OrphanedCallDetector(() => bus.nc)
    this.pending = new PendingRequests(bus)
  }

  /**
   * Sends a request and parses its reply.
   * @throws AppError with the code of the service, or UNAVAILABLE, TIMEOUT, TOO_LARGE
   */
  async request<C extends Command>(command: C, body: RequestOf<C>, options: CallOptions = {}): Promise<ReplyOf<C>> {
    const reply = await this.forward(command, Buffer.from(JSON.stringify(body)), options)
    return JSON.parse(Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).toString('utf8')) as ReplyOf<C>
  }

  /** Sends bytes as they are and returns the bytes of the reply. Errors as in {@link request}. */
  async forward(command: Command | BatchCommand, body: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    const { subject } = command
    const { process } = options
    const target = process === undefined ? subject : subjectOfProcess(subject, process)
    const end = this.metrics.calls.startTimer()
    try {
      const data = await traceMessage(
        subject,
        'client',
        undefined,
        () => this.send(target, body, options),
        options.scope,
      )
      end({ messaging_destination_name: subject, error_type: '' })
      return data
    } catch (error) {
      end({ messaging_destination_name: subject, error_type: error instanceof AppError ? error.code : 'INTERNAL' })
      throw error
    }
  }

  private async send(subject: string, body: Uint8Array, options: CallOptions): Promise<Uint8Array> {
    if (!this.bus.isUp()) throw busUnavailable()
    const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const call: string = this.detector.add(serviceName(subject), () => this.pending.reject(call, busUnavailable()))
    try {
      const reply = await this.pending.send(call, subject, body, callHeaders(call, timeout, options), timeout)
      const code = reply.headers?.get(busHeaders.error)
      if (code) throw remoteError(code, reply)
      options.onReplyHeaders?.(reply.headers)
      return reply.data
    } catch (error) {
      throw callError(error)
    } finally {
      this.detector.remove(call)
    }
  }
}

function callHeaders(
  call: string,
  timeoutMs: number,
  { settings, batch, scope = currentScope() }: CallOptions,
): MsgHdrs {
  const pairs: Array<readonly [string, string]> = [
    [busHeaders.call, call],
    [busHeaders.timeoutMs, String(timeoutMs)],
  ]
  if (scope) pairs.push([busHeaders.requestId, scope.requestId])
  if (scope?.api) pairs.push([busHeaders.api, scope.api])
  if (scope?.caller) pairs.push([busHeaders.caller, scope.caller])
  if (settings) pairs.push([busHeaders.settings, settingsHeader(settings)])
  if (batch) pairs.push([busHeaders.batchOptions, asciiJson(batch)])
  pairs.push(...traceHeaders(scope))
  return encodeHeaders(pairs)
}

/** Subjects begin with the name of the service. */
function serviceName(subject: string): string {
  return subject.slice(0, subject.indexOf('.'))
}

/** Settings as header text; thousands of calls carry the same object, which is never changed (`Readonly`). */
const serialized = new WeakMap<CallSettings, string>()

/** JSON in plain ASCII, as header values must be. */
function settingsHeader(settings: CallSettings): string {
  const known = serialized.get(settings)
  if (known !== undefined) return known
  const text = asciiJson(settings)
  serialized.set(settings, text)
  return text
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function remoteError(code: string, reply: Msg): AppError {
  const known: ErrorCode = isErrorCode(code) ? code : 'INTERNAL'
  const body = reply.json<Partial<WireError>>()
  return new AppError(
    known,
    body.message ?? texts.internal,
    body.details === undefined ? {} : { details: body.details },
  )
}

function callError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof Error && error.name === 'InvalidArgumentError' && /payload/i.test(String(error)))
    return new AppError('TOO_LARGE', 'The message is too large.', { cause: error })
  return new AppError('UNAVAILABLE', texts.unavailable, { cause: error })
}

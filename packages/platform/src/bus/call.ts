import { isUtf8 } from 'node:buffer'
import { type Batch, readBatch } from '@partsbus/contracts/batch'
import { AppError, texts } from '@partsbus/contracts/errors'
import { type BatchCommand, busHeaders, type Command, type ItemOf, type RequestOf } from '@partsbus/contracts/message'
import { callSettings, type CallSettings, defaultCallSettings } from '@partsbus/contracts/settings'
import { contractViolation, describeIssues } from '@partsbus/contracts/violation'
import type { MsgHdrs } from '@nats-io/transport-node'
import { checkJsonWeight } from './json-limit.js'

/** One admitted request as a use case gets it. */
export interface Call<Body> {
  body: Body
  /** as they were when the request was admitted (architecture.md#bus) */
  settings: CallSettings
  /** milliseconds until the caller stops waiting */
  timeLeft(): number
}

export type CallOf<C extends Command | BatchCommand> = Call<
  C extends BatchCommand ? Batch<ItemOf<C>> : C extends Command ? RequestOf<C> : never
>

/** The parts of a bus message that a request is read from. */
export interface RawRequest {
  data: Uint8Array
  headers?: MsgHdrs | undefined
}

/**
 * Reads and checks a message against its contract.
 * @throws AppError MALFORMED when it is not JSON in UTF-8, CONTRACT_VIOLATION when it breaks the contract,
 *   TOO_LARGE when parsing it would cost out of proportion
 */
export function readCall<C extends Command | BatchCommand>(contract: C, message: RawRequest): CallOf<C> {
  const settings = readSettings(message.headers)
  const timeout = Number(message.headers?.get(busHeaders.timeoutMs) || 5_000)
  const end = performance.now() + timeout
  const body =
    contract.kind === 'batch'
      ? readBatch(contract, parseJson(message.data), {
          errorPolicy: settings.erp_error_policy,
          maxItems: settings.erp_max_batch_items,
        })
      : readRequest(contract, message.data)
  return { body, settings, timeLeft: () => end - performance.now() } as CallOf<C>
}

function readRequest(contract: Command, data: Uint8Array): unknown {
  const input = data.length === 0 ? {} : parseJson(data)
  const result = contract.request.safeParse(input)
  if (result.success) return result.data
  // What is no object at all breaks no field; it is told by the fields it lacks (erp.md#batch-forms).
  const lacking = isObject(input) ? undefined : contract.request.safeParse({}).error
  throw contractViolation(
    lacking ? describeIssues(lacking.issues, {}, '') : describeIssues(result.error.issues, input, ''),
  )
}

function isObject(input: unknown): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** Parses UTF-8 JSON, with or without a byte order mark. */
export function parseJson(data: Uint8Array): unknown {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (!isUtf8(bytes)) throw new AppError('MALFORMED', texts.malformedJson)
  checkJsonWeight(bytes)
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  try {
    return JSON.parse(bytes.toString('utf8', start))
  } catch (error) {
    throw new AppError('MALFORMED', texts.malformedJson, { cause: error })
  }
}

/** Made once: zod compiles each schema that it is given. */
const sentSettings = callSettings.partial()
/** The same text comes with thousands of calls. */
let lastRead: { text: string; settings: CallSettings } = { text: '', settings: defaultCallSettings }

function readSettings(headers: MsgHdrs | undefined): CallSettings {
  const text = headers?.get(busHeaders.settings)
  if (!text) return defaultCallSettings
  if (text !== lastRead.text)
    lastRead = { text, settings: Object.freeze({ ...defaultCallSettings, ...sentSettings.parse(JSON.parse(text)) }) }
  return lastRead.settings
}

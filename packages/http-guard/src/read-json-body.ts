import type { IncomingMessage, ServerResponse } from 'node:http'
import { emptyBody } from '@partsbus/contracts/body-error'
import { AppError, bodyTooLarge, texts } from '@partsbus/contracts/app-error'
import type { Reserve } from './admission.js'
import { announcesBody } from './discard-body.js'
import { sendContinue } from './expect-continue.js'

/** How long a body may take to arrive, in ms. */
const ARRIVAL_MS = 30_000

/** Bytes that Node reads at once: a body up to this size usually arrives in one chunk, which is then the body. */
const ONE_CHUNK_BYTES = 64 * 1024

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i
const EMPTY_OBJECT = Buffer.from('{}')

interface BodyRules {
  /** replaces an empty body; without it an empty body is malformed */
  whenEmpty?: Buffer
  /** aborts the reading with the AppError to throw */
  signal?: AbortSignal
}

export interface IncomingBody {
  raw: IncomingMessage
  sentMediaType: string | undefined
}

/**
 * Reads a JSON body as bytes, unparsed. A body that its headers rule out is refused before its first byte is read.
 * @param reserve is called with the size of each chunk as it arrives, and may refuse it
 * @param limit bytes
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE (above the limit), TOO_SLOW (after 30 s), MALFORMED when empty
 */
export function readJsonBytes(
  request: IncomingBody,
  reply: { raw: ServerResponse },
  reserve: Reserve,
  limit: number,
  { whenEmpty, signal }: BodyRules = {},
): Promise<Buffer> {
  const { raw } = request
  return new Promise((resolve, reject) => {
    const refusal = unsupportedForm(request)
    // a chunked body may turn out to be empty, and an empty body needs no media type
    const mayBeEmpty = whenEmpty !== undefined && raw.headers['transfer-encoding'] !== undefined
    if (refusal && !mayBeEmpty) throw refusal
    const announced = announcedLength(raw, limit)
    sendContinue(raw, reply.raw)
    collect(
      raw,
      announced,
      limit,
      (bytes) => {
        if (refusal) throw refusal
        reserve(bytes)
      },
      (body) => {
        const read = body.length === 0 ? whenEmpty : body
        if (read) resolve(read)
        else reject(new AppError('MALFORMED', texts.malformedJson, { details: { body_error: emptyBody } }))
      },
      reject,
      signal,
    )
  })
}

/** As {@link readJsonBytes}; an empty body is `{}` and needs no media type (rules.md#empty-bodies). */
export async function readOptionalJson(
  request: IncomingBody,
  reply: { raw: ServerResponse },
  reserve: Reserve,
  limit: number,
): Promise<Buffer> {
  if (!announcesBody(request.raw)) return EMPTY_OBJECT
  return readJsonBytes(request, reply, reserve, limit, { whenEmpty: EMPTY_OBJECT })
}

export function isJson({ sentMediaType }: Pick<IncomingBody, 'sentMediaType'>): boolean {
  return JSON_TYPE.test(sentMediaType?.trim() ?? '')
}

/** The error that the headers of a non-empty body lead to. */
function unsupportedForm(request: IncomingBody): AppError | undefined {
  const encoding = request.raw.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', texts.encoding)
  }
  return isJson(request) ? undefined : new AppError('UNSUPPORTED_MEDIA_TYPE', texts.mediaType)
}

/** The length in the headers, 0 when they give none. @throws AppError TOO_LARGE */
function announcedLength(raw: IncomingMessage, limit: number): number {
  const announced = Number(raw.headers['content-length'] ?? 0)
  if (announced > limit) throw tooLarge(limit)
  return announced
}

function collect(
  raw: IncomingMessage,
  announced: number,
  limit: number,
  reserve: Reserve,
  resolve: (body: Buffer) => void,
  reject: (error: unknown) => void,
  signal?: AbortSignal,
): void {
  const body = new BodyBuffer(announced)
  const timer = setTimeout(() => refuse(new AppError('TOO_SLOW', 'The request did not arrive in time.')), ARRIVAL_MS)
  const stop = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveWay)
    raw.off('data', add).off('end', finish).off('close', abort).off('error', abort)
  }
  const refuse = (error: unknown): void => {
    raw.pause()
    stop()
    reject(error)
  }
  const giveWay = (): void => refuse(signal?.reason)
  const add = (chunk: Buffer): void => {
    if (body.size + chunk.length > limit) return refuse(tooLarge(limit))
    try {
      reserve(chunk.length)
    } catch (error) {
      return refuse(error)
    }
    body.push(chunk)
  }
  const finish = (): void => {
    stop()
    resolve(body.bytes())
  }
  const abort = (): void => {
    stop()
    reject(new AppError('MALFORMED', 'The request body was cut off.'))
  }
  signal?.addEventListener('abort', giveWay)
  raw.on('data', add).on('end', finish).on('close', abort).on('error', abort)
  if (raw.destroyed) abort()
}

/** The chunks of a body. Where the length is known they are copied to their offset as they arrive. */
class BodyBuffer {
  size = 0
  private readonly whole: Buffer | undefined
  private readonly chunks: Buffer[] = []

  constructor(announced: number) {
    // memory that was never written to is not resident
    if (announced > ONE_CHUNK_BYTES) this.whole = Buffer.allocUnsafeSlow(announced)
  }

  push(chunk: Buffer): void {
    if (this.whole) chunk.copy(this.whole, this.size)
    else this.chunks.push(chunk)
    this.size += chunk.length
  }

  bytes(): Buffer {
    // never more than was received: the rest of the buffer is uninitialized
    if (this.whole) return this.whole.subarray(0, this.size)
    return this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks, this.size)
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('TOO_LARGE', bodyTooLarge(limit))
}

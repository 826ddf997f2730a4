import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, texts } from '@partsbus/contracts/errors'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { sendContinue } from './expect-continue.js'

/** How long a body may take to arrive; Node's own limit for a whole request is longer, for uploads. */
const ARRIVAL_MS = 30_000

/** What Node reads at once: bodies up to that mostly come in one chunk, which is then the body. */
const ONE_CHUNK_BYTES = 64 * 1024

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i

interface SentBody {
  raw: IncomingMessage
  sentMediaType: string | undefined
}

/**
 * Reads a JSON body as bytes, unparsed. What its headers rule out is refused before the first byte is read.
 * @param hold is told how many bytes are about to be kept, and may refuse them
 * @param limit bytes
 * @param whenEmpty what an empty body is read as; without it an empty body is malformed
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, TOO_LARGE (above the limit), TOO_SLOW (after 30 s), MALFORMED when empty
 */
export function readJsonBytes(
  request: SentBody,
  reply: { raw: ServerResponse },
  hold: (bytes: number) => void,
  limit = MAX_BODY_BYTES,
  whenEmpty?: Buffer,
): Promise<Buffer> {
  const { raw } = request
  return new Promise((done, fail) => {
    const refusal = wrongForm(request)
    // whether chunks bring anything is seen when they come: an empty body has no form that could be wrong
    const mayBeEmpty = whenEmpty !== undefined && raw.headers['transfer-encoding'] !== undefined
    if (refusal && !mayBeEmpty) throw refusal
    const announced = announcedLength(raw, limit)
    hold(announced)
    sendContinue(raw, reply.raw)
    collect(
      raw,
      announced,
      limit,
      (bytes) => {
        if (refusal) throw refusal
        // what was announced is counted already
        if (announced === 0) hold(bytes)
      },
      (body) => {
        const read = body.length === 0 ? whenEmpty : body
        if (read) done(read)
        else fail(new AppError('MALFORMED', texts.malformedJson))
      },
      fail,
    )
  })
}

/** What the headers rule out about a body that is not empty. */
function wrongForm({ raw, sentMediaType }: SentBody): AppError | undefined {
  const encoding = raw.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.')
  }
  return JSON_TYPE.test(sentMediaType?.trim() ?? '')
    ? undefined
    : new AppError('UNSUPPORTED_MEDIA_TYPE', 'The media type must be application/json.')
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
  hold: (bytes: number) => void,
  done: (body: Buffer) => void,
  fail: (error: unknown) => void,
): void {
  const body = new GatheredBody(announced)
  const timer = setTimeout(() => refuse(new AppError('TOO_SLOW', 'The request did not arrive in time.')), ARRIVAL_MS)
  const stop = (): void => {
    clearTimeout(timer)
    raw.off('data', take).off('end', finish).off('close', cut).off('error', cut)
  }
  const refuse = (error: unknown): void => {
    raw.pause()
    stop()
    fail(error)
  }
  const take = (chunk: Buffer): void => {
    if (body.size + chunk.length > limit) return refuse(tooLarge(limit))
    try {
      hold(chunk.length)
    } catch (error) {
      return refuse(error)
    }
    body.push(chunk)
  }
  const finish = (): void => {
    stop()
    done(body.bytes())
  }
  const cut = (): void => {
    stop()
    fail(new AppError('MALFORMED', 'The request body was cut off.'))
  }
  raw.on('data', take).on('end', finish).on('close', cut).on('error', cut)
  if (raw.destroyed) cut()
}

/** The chunks of a body. Where its length is known they are put in their place as they come, and nothing is left to copy at its end. */
class GatheredBody {
  size = 0
  private readonly whole: Buffer | undefined
  private readonly chunks: Buffer[] = []

  constructor(announced: number) {
    // pages that are never written to cost nothing
    if (announced > ONE_CHUNK_BYTES) this.whole = Buffer.allocUnsafeSlow(announced)
  }

  push(chunk: Buffer): void {
    if (this.whole) chunk.copy(this.whole, this.size)
    else this.chunks.push(chunk)
    this.size += chunk.length
  }

  bytes(): Buffer {
    // never a byte that was not sent
    if (this.whole) return this.whole.subarray(0, this.size)
    return this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks, this.size)
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('TOO_LARGE', `The request body must not be greater than ${limit} bytes.`)
}

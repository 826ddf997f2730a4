import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describeMedia, readMedia } from '@partsbus/contracts/catalog/commands'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { Admission } from '@partsbus/http-guard/admission'
import { contentDisposition } from '../http/content-disposition.js'
import { withRequestScope } from '../http/request-calls.js'
import { Transfers } from '@partsbus/http-guard/transfers'
import { readRange } from './byte-range.js'
import { addressKey } from '@partsbus/platform/net/address-key'
import { bufferedBytes, readChunks } from './file-chunks.js'

/** A stored image never changes under its URL. */
const CACHING = 'public, max-age=31536000, immutable'

/** Look-ups of images at once, each up to the first bytes of its file, and the memory of the responses being sent. */
const LOOK_UPS = {
  requests: 100,
  /** one address */
  ofOne: 80,
  min: 4,
  initial: 16,
  bytes: 0,
  target: { ms: 100, msPerMib: 0 },
  maxWaitMs: 1_000,
}
const RESPONSES = { bytes: 96 * 1024 * 1024, ofOne: 72 * 1024 * 1024 }

/** `/media/:id/:file_name` (admin.md#media): stored images. Public. */
export function mediaRoutes(ctx: GatewayContext) {
  return async (media: FastifyInstance): Promise<void> => {
    media.route({ method: ['GET', 'HEAD'], url: '/:id/:file_name', handler: serveMedia(ctx) })
  }
}

function serveMedia(ctx: GatewayContext) {
  const admission = new Admission(LOOK_UPS)
  const transfers = new Transfers(RESPONSES)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { calls } = withRequestScope(ctx, request)
    const caller = addressKey(request.address)
    const opened = await admission.run(async () => {
      const media = await findMedia(calls, request.params as { id: string; file_name: string })
      const response = describeResponse(request, media)
      if (response.status > 206 || request.method === 'HEAD') return { ...response, bytes: undefined, end: undefined }
      const { range } = response
      const end = transfers.start(request.raw.socket, bufferedBytes(range.last - range.first + 1), { caller })
      try {
        return { ...response, end, bytes: await streamFromFirst(readChunks(calls, readMedia, media.id, range)) }
      } catch (error) {
        end()
        throw error
      }
    }, caller)
    const { status, headers, body, bytes, end } = opened
    reply.code(status).headers(headers)
    if (!bytes) return reply.send(body)
    reply.send(bytes)
    // the memory is in use until the response is sent or the client disconnects
    await finished(reply.raw)
      .catch(() => undefined)
      .finally(end)
    return reply
  }
}

interface MediaResponse {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string>
  /** inclusive */
  range: { first: number; last: number }
  /** instead of the bytes of the file */
  body?: object
}

function describeResponse(request: FastifyRequest, media: StoredMedia): MediaResponse {
  const etag = `"${media.sha256}"`
  const whole = { first: 0, last: media.size - 1 }
  const headers = {
    etag,
    'cache-control': CACHING,
    'last-modified': new Date(media.created_at).toUTCString(),
    'accept-ranges': 'bytes',
  }
  if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers, range: whole }
  const requested = requestedRange(request, media, etag)
  if (requested === 'unsatisfiable') {
    return {
      status: 416,
      headers: { 'content-range': `bytes */${media.size}` },
      range: whole,
      body: { message: 'The range is not satisfiable.' },
    }
  }
  const range = requested ?? whole
  return {
    status: requested ? 206 : 200,
    headers: {
      ...headers,
      ...(requested && { 'content-range': `bytes ${range.first}-${range.last}/${media.size}` }),
      'content-type': media.mime_type,
      'content-length': String(range.last - range.first + 1),
      'content-disposition': contentDisposition('inline', media.file_name),
    },
    range,
  }
}

async function findMedia(
  calls: GatewayContext['calls'],
  { id, file_name }: { id: string; file_name: string },
): Promise<StoredMedia> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new AppError('NOT_FOUND', texts.notFound)
  const media = await calls.request(describeMedia, { id: Number(id) })
  if (media.file_name !== file_name) throw new AppError('NOT_FOUND', texts.notFound)
  return media
}

function requestedRange(request: FastifyRequest, media: StoredMedia, etag: string): ReturnType<typeof readRange> {
  const condition = request.headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  return readRange(request.headers.range, media.size)
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}

/** Waits for the first chunk, so that a failure before it is answered as an error and not as a broken stream. */
export async function streamFromFirst(chunks: AsyncGenerator<Uint8Array>): Promise<Readable> {
  const first = await chunks.next()
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value
      yield* chunks
    })(),
  )
}

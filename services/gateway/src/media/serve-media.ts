import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describeMedia, readMedia } from '@partsbus/contracts/catalog/commands'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { Admission } from '../http/limits/admission.js'
import { contentDisposition } from '../http/content-disposition.js'
import { withRequestScope } from '../http/request-calls.js'
import { Transfers } from '../http/transfers.js'
import { readRange } from './byte-range.js'
import { bufferedBytes, readChunks } from './file-chunks.js'

/** A stored image never changes under its URL. */
const CACHING = 'public, max-age=31536000, immutable'

/** Image requests at once, and the memory of the responses that are being sent. */
const REQUESTS = { requests: 500, bytes: 0 }
const RESPONSES = { bytes: 96 * 1024 * 1024 }

/** `/media/:id/:file_name` (admin.md#media): stored images. Public. */
export function mediaRoutes(ctx: GatewayContext) {
  return async (media: FastifyInstance): Promise<void> => {
    media.route({ method: ['GET', 'HEAD'], url: '/:id/:file_name', handler: serveMedia(ctx) })
  }
}

function serveMedia(ctx: GatewayContext) {
  const admission = new Admission(REQUESTS)
  const transfers = new Transfers(RESPONSES)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async () => {
      const { calls } = withRequestScope(ctx, request)
      const media = await findMedia(calls, request.params as { id: string; file_name: string })
      const etag = `"${media.sha256}"`
      const headers = {
        etag,
        'cache-control': CACHING,
        'last-modified': new Date(media.created_at).toUTCString(),
        'accept-ranges': 'bytes',
      }
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
      const range = requestedRange(request, media, etag)
      if (range === 'unsatisfiable') {
        return reply
          .code(416)
          .header('content-range', `bytes */${media.size}`)
          .send({ message: 'The range is not satisfiable.' })
      }
      const { first, last } = range ?? { first: 0, last: media.size - 1 }
      const length = last - first + 1
      const respond = (bytes?: Readable): FastifyReply => {
        if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${media.size}`)
        reply.headers({
          ...headers,
          'content-type': media.mime_type,
          'content-length': String(length),
          'content-disposition': contentDisposition('inline', media.file_name),
        })
        return reply.send(bytes)
      }
      if (request.method === 'HEAD') return respond()
      const end = transfers.start(request.raw.socket, bufferedBytes(length))
      try {
        respond(await streamFromFirst(readChunks(calls, readMedia, media.id, { first, last })))
        // the memory is in use until the response is sent or its client is gone
        await finished(reply.raw).catch(() => undefined)
      } finally {
        end()
      }
      return reply
    })
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

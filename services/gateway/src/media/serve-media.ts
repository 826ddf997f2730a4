import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { describeMedia, readMedia } from '@partsbus/contracts/catalog'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { StoredMedia } from '@partsbus/contracts/media'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { Admission } from '../http/limits/admission.js'
import { contentDisposition } from '../http/content-disposition.js'
import { withRequestScope } from '../http/request-calls.js'
import { readRange } from './byte-range.js'
import { bufferedBytes, readChunks } from './file-chunks.js'

/** A stored picture never changes under its address. */
const CACHING = 'public, max-age=31536000, immutable'

/** Pictures being sent at once, and what their readers make the gateway hold. Apart from the APIs' own limits. */
const ADMISSION = { requests: 500, bytes: 96 * 1024 * 1024 }

/** Answers a stored picture, whole or a range of it; 404 for an unknown id or a name that is not its own. */
export function serveMedia(ctx: GatewayContext) {
  const admission = new Admission(ADMISSION)
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    admission.run(async (hold) => {
      const { calls } = withRequestScope(ctx, request)
      const media = await findMedia(calls, request.params as { id: string; file_name: string })
      const etag = `"${media.sha256}"`
      const headers = {
        etag,
        'cache-control': CACHING,
        'last-modified': new Date(media.created_at).toUTCString(),
        'accept-ranges': 'bytes',
      }
      if (isNamedIn(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send()
      const range = wantedRange(request, media, etag)
      if (range === 'unsatisfiable') {
        return reply
          .code(416)
          .header('content-range', `bytes */${media.size}`)
          .send({ message: 'The range is not satisfiable.' })
      }
      const { first, last } = range ?? { first: 0, last: media.size - 1 }
      hold(bufferedBytes(last - first + 1))
      const bytes =
        request.method === 'HEAD'
          ? undefined
          : await streamFromFirst(readChunks(calls, readMedia, media.id, { first, last }))
      if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${media.size}`)
      reply.headers({
        ...headers,
        'content-type': media.mime_type,
        'content-length': String(last - first + 1),
        'content-disposition': contentDisposition('inline', media.file_name),
      })
      reply.send(bytes)
      // the place is kept until the answer has left or its client is gone
      if (bytes) await finished(reply.raw).catch(() => undefined)
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

function wantedRange(request: FastifyRequest, media: StoredMedia, etag: string): ReturnType<typeof readRange> {
  const condition = request.headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  return readRange(request.headers.range, media.size)
}

function isNamedIn(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}

/** Waits for the first piece, so that what fails before it is answered as an error and not as a broken stream. */
export async function streamFromFirst(pieces: AsyncGenerator<Uint8Array>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(
    (async function* () {
      if (!first.done) yield first.value
      yield* pieces
    })(),
  )
}

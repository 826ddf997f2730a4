import { Readable } from 'node:stream'
import { describeMedia } from '@partsbus/contracts/catalog'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { StoredMedia } from '@partsbus/contracts/media'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.js'
import { readRange } from './byte-range.js'
import { readPieces } from './read-pieces.js'

/** A stored picture never changes under its address. */
const CACHING = 'public, max-age=31536000, immutable'

/** Answers a stored picture, whole or a range of it; 404 for an unknown id or a name that is not its own. */
export function serveMedia(ctx: GatewayContext) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const media = await findMedia(ctx, request.params as { id: string; file_name: string })
    const etag = `"${media.sha256}"`
    reply.headers({
      etag,
      'cache-control': CACHING,
      'last-modified': new Date(media.created_at).toUTCString(),
      'accept-ranges': 'bytes',
    })
    if (isNamedIn(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const range = wantedRange(request, media, etag)
    if (range === 'unsatisfiable') {
      request.errorCode = 'RANGE'
      return reply.code(416).headers({ 'content-range': `bytes */${media.size}`, 'cache-control': 'no-store' }).send({ message: 'The range is not satisfiable.' })
    }
    if (range) reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${media.size}`)
    const { first, last } = range ?? { first: 0, last: media.size - 1 }
    reply.headers({
      'content-type': media.mime_type,
      'content-length': String(last - first + 1),
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(media.file_name).replace(/['()*]/g, escapeMark)}`,
    })
    if (request.method === 'HEAD') return reply.send()
    return reply.send(await startReading(readPieces(ctx.calls, media.id, { first, last })))
  }
}

async function findMedia(ctx: GatewayContext, { id, file_name }: { id: string; file_name: string }): Promise<StoredMedia> {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new AppError('NOT_FOUND', texts.notFound)
  const media = await ctx.calls.request(describeMedia, { id: Number(id) })
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
async function startReading(pieces: AsyncGenerator<Uint8Array>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from((async function* () {
    if (!first.done) yield first.value
    yield* pieces
  })())
}

function escapeMark(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
}

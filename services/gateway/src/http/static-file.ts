import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that is sent from memory, in the form that the client accepts. */
export interface StaticFile {
  type: string
  etag: string
  raw: Buffer
  gzip?: Buffer | undefined
  brotli?: Buffer | undefined
}

/** The entity tag of a file that changes with its bytes. */
export function contentTag(bytes: Buffer): string {
  return `"${hash('sha256', bytes).slice(0, 32)}"`
}

/** @param caching the header `Cache-Control` */
export function sendStatic(
  { type, etag, raw, gzip, brotli }: StaticFile,
  caching: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ etag, 'cache-control': caching, vary: 'accept-encoding' })
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  reply.header('content-type', type)
  const accepted = String(request.headers['accept-encoding'] ?? '')
  if (brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(brotli)
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip)
  return reply.send(raw)
}

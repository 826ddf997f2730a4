import type { FastifyReply, FastifyRequest } from 'fastify'
import { readJsonBytes } from '../http/read-body.js'

/** The largest body a partner sends: 1,000 points and 100 brands are far less. */
export const MAX_BODY_BYTES = 1024 * 1024

const EMPTY = Buffer.from('{}')

/**
 * A partner's JSON body as bytes, unparsed. An empty one is `{}` and needs no media type (decisions, "Both APIs").
 * @throws AppError as `readJsonBytes` does
 */
export async function readJson(request: FastifyRequest, reply: FastifyReply, hold: (bytes: number) => void): Promise<Buffer> {
  const { headers } = request.raw
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return EMPTY
  return readJsonBytes(request, reply, hold, MAX_BODY_BYTES, EMPTY)
}

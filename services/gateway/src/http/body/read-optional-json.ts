import type { IncomingMessage, ServerResponse } from 'node:http'
import { announcesBody } from './discard-body.js'
import { readJsonBytes } from './read-json-body.js'

const EMPTY = Buffer.from('{}')

/** As `readJsonBytes`; an empty body is `{}` and needs no media type (rules.md#empty-bodies). */
export async function readOptionalJson(
  request: { raw: IncomingMessage; sentMediaType: string | undefined },
  reply: { raw: ServerResponse },
  hold: (bytes: number) => void,
  limit: number,
): Promise<Buffer> {
  if (!announcesBody(request.raw)) return EMPTY
  return readJsonBytes(request, reply, hold, limit, EMPTY)
}

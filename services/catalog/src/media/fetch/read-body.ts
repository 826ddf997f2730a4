import type { Dispatcher } from 'undici'
import type { ByteBudget } from './byte-budget.js'
import type { Deadline } from './deadline.js'
import { type DownloadedPicture, type DownloadFailure, failed } from './download-result.js'
import { HEAD_BYTES, pictureType, readPicture } from './picture.js'

/** Limits of one picture (rules.md#images-limits). */
export const MAX_BYTES = 10 * 1024 * 1024
const MAX_PIXELS = 40_000_000

const TOO_LARGE = failed(`larger than ${MAX_BYTES} bytes`)
const NO_PICTURE = failed('not a JPEG, PNG, WebP or GIF')

/**
 * Reads the picture that a 200 carries, no further than it takes to refuse it.
 * @throws what the connection throws when it breaks or the time is over
 */
export async function readBody(
  response: Dispatcher.ResponseData,
  limits: { budget: ByteBudget; deadline: Deadline },
): Promise<Pick<DownloadedPicture, 'bytes' | 'picture' | 'release'> | DownloadFailure> {
  const encoding = header(response, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return failed('a content encoding was not asked for')
  const length = Number(header(response, 'content-length') ?? Number.NaN)
  if (length > MAX_BYTES) return TOO_LARGE
  if (length < HEAD_BYTES) return NO_PICTURE
  limits.deadline.halt()
  const release = await limits.budget.take(Number.isNaN(length) ? MAX_BYTES : length)
  limits.deadline.resume()
  let kept = false
  try {
    const bytes = await collect(response.body)
    if (!Buffer.isBuffer(bytes)) return bytes
    const picture = readPicture(bytes)
    if (!picture) return NO_PICTURE
    if (picture.width * picture.height > MAX_PIXELS)
      return failed(`${picture.width}×${picture.height} is more than ${MAX_PIXELS} pixels`)
    kept = true
    return { bytes, picture, release }
  } finally {
    if (!kept) release()
  }
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer | DownloadFailure> {
  const chunks: Buffer[] = []
  let size = 0
  let known = false
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_BYTES) return TOO_LARGE
    if (known || size < HEAD_BYTES) continue
    if (!pictureType(Buffer.concat(chunks))) return NO_PICTURE
    known = true
  }
  return Buffer.concat(chunks)
}

/** The first value of a header. */
export function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

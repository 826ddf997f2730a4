import type { Dispatcher } from 'undici'
import { firstHeader } from '@partsbus/platform/net/guarded-client'
import type { ByteBudget } from './byte-budget.js'
import type { Deadline } from './deadline.js'
import { type DownloadedImage, type DownloadFailure, failed } from './download-result.js'
import { HEAD_BYTES, imageType, readImageHeader } from './image-header.js'

/** Limits of one image (rules.md#images-limits). */
export const MAX_BYTES = 10 * 1024 * 1024
const MAX_PIXELS = 40_000_000

const TOO_LARGE = failed(`larger than ${MAX_BYTES} bytes`)
const NO_IMAGE = failed('not a JPEG, PNG, WebP or GIF')

/**
 * Reads the image of a 200 response, and stops as soon as it is known to be refused.
 * @throws the error of the connection when it breaks or the time runs out
 */
export async function readBody(
  response: Dispatcher.ResponseData,
  limits: { host: string; budget: ByteBudget; deadline: Deadline },
): Promise<Pick<DownloadedImage, 'bytes' | 'image' | 'release'> | DownloadFailure> {
  const encoding = firstHeader(response, 'content-encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return failed('the response has a content encoding')
  const length = Number(firstHeader(response, 'content-length') ?? Number.NaN)
  if (length > MAX_BYTES) return TOO_LARGE
  if (length < HEAD_BYTES) return NO_IMAGE
  limits.deadline.pause()
  const release = await limits.budget.acquire(limits.host, Number.isNaN(length) ? MAX_BYTES : length)
  limits.deadline.resume()
  let kept = false
  try {
    const bytes = await collect(response.body)
    if (!Buffer.isBuffer(bytes)) return bytes
    const image = readImageHeader(bytes)
    if (!image) return NO_IMAGE
    if (image.width * image.height > MAX_PIXELS)
      return failed(`${image.width}×${image.height} is more than ${MAX_PIXELS} pixels`)
    kept = true
    return { bytes, image, release }
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
    if (!imageType(Buffer.concat(chunks))) return NO_IMAGE
    known = true
  }
  return Buffer.concat(chunks)
}

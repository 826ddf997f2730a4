import { AppError, texts } from '@partsbus/contracts/errors'
import type { MediaPart } from './media-part.js'

/** The most one reply carries. */
const MAX_READ_BYTES = 1024 * 1024

/**
 * Bytes of a stored picture from `offset`: at most `length`, at most 1 MiB, fewer at its end, none behind it.
 * @throws AppError NOT_FOUND when there is no such picture
 */
export async function readMedia(
  media: MediaPart,
  range: { id: number; offset: number; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const record = await media.media.find(range.id)
  if (!record) throw new AppError('NOT_FOUND', texts.notFound)
  const length = Math.min(range.length, MAX_READ_BYTES, record.size - range.offset)
  if (length <= 0) return new Uint8Array()
  const bytes = await media.files.read(record.sha256, range.offset, length)
  if (bytes?.length !== length)
    throw new AppError('INTERNAL', texts.internal, { cause: new Error(`the bytes of media ${range.id} are not whole`) })
  return bytes
}

import { AppError, texts } from '@partsbus/contracts/errors'
import type { StoredMedia } from '@partsbus/contracts/media'
import type { MediaPart } from './media-part.js'

/** What the gateway must know to serve a picture. @throws AppError NOT_FOUND */
export async function describeMedia(media: MediaPart, id: number): Promise<StoredMedia> {
  const record = await media.media.find(id)
  if (!record) throw new AppError('NOT_FOUND', texts.notFound)
  const { file_name, mime_type, size, sha256, created_at } = record
  return { id, file_name, mime_type, size, sha256, created_at: created_at.toISOString() }
}

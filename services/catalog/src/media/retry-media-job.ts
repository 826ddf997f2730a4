import { AppError, texts } from '@partsbus/contracts/errors'
import type { MediaJob } from '@partsbus/contracts/media'
import { mediaJobOf } from './list-media-jobs.js'
import type { MediaPart } from './media-part.js'

/**
 * Tries a download again now, with all its attempts before it (admin.md#media-jobs).
 * @param allowedHosts the setting `media_allowed_hosts` as it is now
 * @throws AppError NOT_FOUND when it is done, or its item was sent again with other images
 */
export async function retryMediaJob(media: MediaPart, id: number, allowedHosts: string[]): Promise<MediaJob> {
  const found = await media.jobs.rearm(id, allowedHosts)
  if (!found) throw new AppError('NOT_FOUND', texts.notFound)
  media.nudges.send([found.set._id])
  return mediaJobOf(found)
}

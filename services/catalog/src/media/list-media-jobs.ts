import type { MediaJob } from '@partsbus/contracts/media'
import type { Page, PageRequest } from '@partsbus/contracts/paging'
import type { FoundImage } from './media-job-store.js'
import type { MediaPart } from './media-part.js'

/** Downloads not yet done or given up, those that wait for a retry among the pending ones; by id (admin.md#media-jobs). */
export async function listMediaJobs(
  media: MediaPart,
  ask: PageRequest & { status?: MediaJob['status'] | undefined },
): Promise<Page<MediaJob>> {
  const { page, per_page } = ask
  const statuses = ask.status === undefined ? (['pending', 'failed'] as const) : [ask.status]
  const { found, total } = await media.jobs.findUndone([...statuses], (page - 1) * per_page, per_page)
  return { data: found.map(mediaJobOf), total, page, per_page }
}

export function mediaJobOf({ set, image }: FoundImage): MediaJob {
  return {
    id: image.id,
    item: set.item,
    erp_id: set.erp_id,
    url: image.url,
    attempts: image.attempts,
    last_error: image.last_error,
    status: image.status === 'failed' ? 'failed' : 'pending',
    updated_at: set.updated_at.toISOString(),
  }
}

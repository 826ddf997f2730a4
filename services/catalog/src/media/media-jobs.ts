import { Controller } from '@nestjs/common'
import type { CallSettings } from '@partsbus/contracts/administration/settings'
import * as contract from '@partsbus/contracts/catalog/commands'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { MediaJob } from '@partsbus/contracts/catalog/media'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { createTranslator } from '@partsbus/platform/texts/translator'
import { hideCredentials } from './fetch/shown-url.js'
import { type FoundImage, MediaJobStore } from './media-job-store.js'
import { MediaNudges } from './media-nudges.js'
import { russianReasons } from './russian-reasons.js'

/** Downloads that one call tries again. */
const MAX_RETRIED = 10_000
/** Time for the answer, in ms. */
const RESERVE_MS = 2_000

const toRussian = createTranslator(russianReasons)

/** Pending and failed image downloads (admin.md#media-jobs). */
@Controller()
export class MediaJobs {
  constructor(
    private readonly jobs: MediaJobStore,
    private readonly nudges: MediaNudges,
  ) {}

  /** By id; those that wait for a retry are pending. */
  @Handles(contract.listMediaJobs)
  async listMediaJobs({
    body,
    settings,
  }: Pick<CallOf<typeof contract.listMediaJobs>, 'body' | 'settings'>): Promise<Page<MediaJob>> {
    const { status, erp_id, host, page, per_page } = body
    const statuses: Array<MediaJob['status']> = status === undefined ? ['pending', 'failed'] : [status]
    const { found, total } = await this.jobs.findUndone({ statuses, erpId: erp_id, host }, body)
    return { data: found.map((each) => mediaJobView(each, settings.admin_locale)), total, page, per_page }
  }

  /**
   * Tries failed downloads again, of one host or of all (admin.md#media-jobs-retry), with the current setting
   * `media_allowed_hosts`.
   */
  @Handles(contract.retryMediaJobs)
  async retryMediaJobs({
    body,
    settings,
    timeLeft,
  }: CallOf<typeof contract.retryMediaJobs>): Promise<ReplyOf<typeof contract.retryMediaJobs>> {
    const retried = await this.jobs.rearmFailed({ host: body.host, limit: MAX_RETRIED }, settings.media_allowed_hosts, {
      isLate: () => timeLeft() < RESERVE_MS,
      onRearmed: (setIds) => this.nudges.send(setIds),
    })
    return { retried }
  }

  /**
   * Tries a download again at once, with all its attempts and the current setting `media_allowed_hosts`.
   * @throws AppError NOT_FOUND when it is done, or its item was sent again with other images
   */
  @Handles(contract.retryMediaJob)
  async retryMediaJob({
    body,
    settings,
  }: Pick<CallOf<typeof contract.retryMediaJob>, 'body' | 'settings'>): Promise<MediaJob> {
    const found = await this.jobs.rearm(body.id, settings.media_allowed_hosts)
    if (!found) throw new AppError('NOT_FOUND', texts.notFound)
    this.nudges.send([found.set._id])
    return mediaJobView(found, settings.admin_locale)
  }
}

function mediaJobView({ set, image }: FoundImage, locale: CallSettings['admin_locale']): MediaJob {
  return {
    id: image.id,
    item: set.item,
    erp_id: set.erp_id,
    url: hideCredentials(image.url),
    attempts: image.attempts,
    last_error: image.last_error !== null && locale === 'ru' ? toRussian(image.last_error) : image.last_error,
    status: image.status === 'failed' ? 'failed' : 'pending',
    updated_at: set.updated_at.toISOString(),
  }
}

import { describeMedia, listMediaJobs, readMedia, retryMediaJob } from '@partsbus/contracts/catalog'
import type { MediaJob, StoredMedia } from '@partsbus/contracts/media'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import { Controller, Inject } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles, CONTEXT, Call } from '@partsbus/platform/bus/nest-adapter'
import { describeMedia as describe } from './describe-media.js'
import { listMediaJobs as listJobs } from './list-media-jobs.js'
import type { MediaPart } from './media-part.js'
import { readMedia as read } from './read-media.js'
import { retryMediaJob as retryJob } from './retry-media-job.js'

/** Answers what is asked about stored pictures and their downloads; the service's context has them as `media`. */
@Controller()
export class MediaController {
  private readonly media: MediaPart

  constructor(@Inject(CONTEXT) ctx: { media: MediaPart }) {
    this.media = ctx.media
  }

  @Handles(describeMedia)
  describeMedia(@Call(describeMedia) call: CallOf<typeof describeMedia>): Promise<StoredMedia> {
    return describe(this.media, call.body.id)
  }

  @Handles(readMedia)
  readMedia(@Call(readMedia) call: CallOf<typeof readMedia>): Promise<ReplyOf<typeof readMedia>> {
    return read(this.media, call.body)
  }

  @Handles(listMediaJobs)
  listMediaJobs(@Call(listMediaJobs) call: CallOf<typeof listMediaJobs>): Promise<Page<MediaJob>> {
    return listJobs(this.media, call.body)
  }

  @Handles(retryMediaJob)
  retryMediaJob(@Call(retryMediaJob) call: CallOf<typeof retryMediaJob>): Promise<MediaJob> {
    return retryJob(this.media, call.body.id, call.settings.media_allowed_hosts)
  }
}

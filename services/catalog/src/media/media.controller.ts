import { Controller } from '@nestjs/common'
import * as contract from '@partsbus/contracts/catalog/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { Media } from './media.js'
import { MediaJobs } from './media-jobs.js'

@Controller()
export class MediaController {
  constructor(
    private readonly media: Media,
    private readonly jobs: MediaJobs,
  ) {}

  @Handles(contract.describeMedia)
  describeMedia(call: CallOf<typeof contract.describeMedia>) {
    return this.media.describeMedia(call)
  }

  @Handles(contract.readMedia)
  readMedia(call: CallOf<typeof contract.readMedia>) {
    return this.media.readMedia(call)
  }

  @Handles(contract.listMediaJobs)
  listMediaJobs(call: CallOf<typeof contract.listMediaJobs>) {
    return this.jobs.listMediaJobs(call)
  }

  @Handles(contract.retryMediaJobs)
  retryMediaJobs(call: CallOf<typeof contract.retryMediaJobs>) {
    return this.jobs.retryMediaJobs(call)
  }

  @Handles(contract.retryMediaJob)
  retryMediaJob(call: CallOf<typeof contract.retryMediaJob>) {
    return this.jobs.retryMediaJob(call)
  }
}

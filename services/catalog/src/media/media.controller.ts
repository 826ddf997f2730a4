import { Controller, Inject } from '@nestjs/common'
import { CONTEXT } from '@partsbus/platform/nest-door'
import type { MediaPart } from './media-part.js'

/** Answers what is asked about stored pictures and their downloads; the service's context has them as `media`. */
@Controller()
export class MediaController {
  protected readonly media: MediaPart

  constructor(@Inject(CONTEXT) ctx: { media: MediaPart }) {
    this.media = ctx.media
  }
}

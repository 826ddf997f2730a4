import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { AcceptUpload } from './accept-upload.js'
import { PreviewUpload } from './preview-upload.js'

@Controller()
export class UploadsController {
  constructor(
    private readonly accept: AcceptUpload,
    private readonly preview: PreviewUpload,
  ) {}

  @Handles(contract.acceptUpload)
  acceptUpload(call: CallOf<typeof contract.acceptUpload>) {
    return this.accept.acceptUpload(call)
  }

  @Handles(contract.acceptPreviewed)
  acceptPreviewed(call: CallOf<typeof contract.acceptPreviewed>) {
    return this.accept.acceptPreviewed(call)
  }

  @Handles(contract.previewStored)
  previewStored(call: CallOf<typeof contract.previewStored>) {
    return this.preview.previewStored(call)
  }

  @Handles(contract.previewUpload)
  previewUpload(call: CallOf<typeof contract.previewUpload>) {
    return this.preview.previewUpload(call)
  }
}

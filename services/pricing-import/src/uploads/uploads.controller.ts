import * as contract from '@partsbus/contracts/pricing-import/commands'
import { Controller } from '@nestjs/common'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Call, Handles } from '@partsbus/platform/bus/nest-adapter'
import { AcceptUpload } from './accept-upload.js'
import { PreviewUpload } from './preview-upload.js'

@Controller()
export class UploadsController {
  constructor(
    private readonly accept: AcceptUpload,
    private readonly preview: PreviewUpload,
  ) {}

  @Handles(contract.acceptUpload)
  acceptUpload(@Call(contract.acceptUpload) call: CallOf<typeof contract.acceptUpload>) {
    return this.accept.acceptUpload(call)
  }

  @Handles(contract.acceptPreviewed)
  acceptPreviewed(@Call(contract.acceptPreviewed) call: CallOf<typeof contract.acceptPreviewed>) {
    return this.accept.acceptPreviewed(call)
  }

  @Handles(contract.previewStored)
  previewStored(@Call(contract.previewStored) call: CallOf<typeof contract.previewStored>) {
    return this.preview.previewStored(call)
  }

  @Handles(contract.previewUpload)
  previewUpload(@Call(contract.previewUpload) call: CallOf<typeof contract.previewUpload>) {
    return this.preview.previewUpload(call)
  }
}

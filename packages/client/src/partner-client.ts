import type { CallArguments, CallOptions, JsonPath, ReceivedAnswer } from '@partsbus/contracts/http/calls'
import type { PartnerRows } from '@partsbus/contracts/http/partners'
import type { UploadProgress } from './send-form.js'
import { type ClientOptions, createTransport, type RequestOptions } from './transport.js'

type ScheduledUpload = ReceivedAnswer<'POST /upload-price-list', PartnerRows>

export interface PartnerUpload {
  priceListId: number
  /** a `File`, or a `Blob` with `fileName` */
  file: Blob
  fileName?: string
  /** in browsers */
  onProgress?: UploadProgress
  signal?: AbortSignal
}

/** @throws AnswerError, or what `fetch` throws without a response */
type PartnerCall = <Path extends JsonPath<PartnerRows>>(
  path: Path,
  ...options: CallArguments<CallOptions<Path, PartnerRows>>
) => Promise<ReceivedAnswer<Path, PartnerRows>>

export type PartnerClient = PartnerCall & {
  uploadPriceList(upload: PartnerUpload): Promise<ScheduledUpload>
}

/** The API of partners, by the B2B token. */
export function createPartnerClient(options: ClientOptions & { token: string }): PartnerClient {
  const transport = createTransport('b2b', options)
  const call = async (path: string, request?: RequestOptions): Promise<unknown> =>
    (await transport.request(path, request)).answer
  return Object.assign(call as PartnerCall, {
    uploadPriceList: async ({ priceListId, ...upload }: PartnerUpload) => {
      const fields = { id: priceListId }
      const { answer } = await transport.upload('POST /upload-price-list', { ...upload, fields })
      return answer as ScheduledUpload
    },
  })
}

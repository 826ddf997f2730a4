import type { ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { OfferedPickUpPoint } from '@partsbus/contracts/stock/pick-up-point'
import type { BrandEntry, brandsRequest, Part, partsRequest } from '@partsbus/contracts/supplier-search/commands'
import type { UploadProgress } from './send-form.js'
import { type ClientOptions, createTransport, type RequestOptions } from './transport.js'

interface Answered {
  /** false when no supplier answered */
  result: boolean
  message: string
}

/** The calls of the partner API under `/api/b2b`. */
export interface PartnerCalls {
  'POST /get-pick-up-points': { answer: Answered & { pick_up_points: OfferedPickUpPoint[] } }
  'POST /get-brands': { body: (typeof brandsRequest)['_input']; answer: Answered & { brands: BrandEntry[] } }
  'POST /get-parts': { body: (typeof partsRequest)['_input']; answer: Answered & { parts: Part[] } }
  'POST /get-price-list-status': { body: { task_id: number }; answer: Answered & { task: ImportTask } }
}

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
type PartnerCall = <Path extends keyof PartnerCalls>(
  path: Path,
  ...options: PartnerCalls[Path] extends { body: infer Body } ? [options: { body: Body; signal?: AbortSignal }] : []
) => Promise<PartnerCalls[Path]['answer']>

export type PartnerClient = PartnerCall & {
  uploadPriceList(upload: PartnerUpload): Promise<Answered & { task_id: number }>
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
      return answer as Answered & { task_id: number }
    },
  })
}

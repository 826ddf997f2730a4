import type {
  CallArguments,
  CallOptions,
  ImportTask,
  JsonPath,
  PartnerRows,
  ReceivedAnswer,
} from '@partsbus/contracts/b2b'
import { awaitEnd, type WaitOptions } from './follow-task.js'
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
  /** Uploads, and answers when the import has ended. */
  uploadAndWait(upload: PartnerUpload & WaitOptions<ImportTask>): Promise<ImportTask>
}

/** The API of partners, by the B2B token. */
export function createPartnerClient(options: ClientOptions & { token: string }): PartnerClient {
  const transport = createTransport('b2b', options)
  // all but the upload only read
  const call = (async (path: string, request?: RequestOptions): Promise<unknown> =>
    (await transport.request(path, 'any-failure', request)).answer) as PartnerCall
  const uploadPriceList = async ({ priceListId, ...upload }: PartnerUpload) => {
    const fields = { id: priceListId }
    const { answer } = await transport.upload('POST /upload-price-list', { ...upload, fields })
    return answer as ScheduledUpload
  }
  return Object.assign(call, {
    uploadPriceList,
    uploadAndWait: async ({ onTask, ...upload }: PartnerUpload & WaitOptions<ImportTask>) => {
      const { task_id } = await uploadPriceList(upload)
      const { signal } = upload
      const read = async () => (await call('POST /get-price-list-status', { body: { task_id }, signal })).task
      return awaitEnd({ read }, { onTask, signal })
    },
  })
}

import type * as calls from '@partsbus/contracts/admin'
import type { AdminImportTask, AdminPath, AnswerOf } from '@partsbus/contracts/admin'
import { awaitEnd, type FollowOptions, followTask, type TaskSource, type WaitOptions } from './follow-task.js'
import type { UploadProgress } from './send-form.js'
import { type ClientOptions, createTransport, type Exchange, optionalHeader, type RequestOptions } from './transport.js'

export type CallOptions<Path extends AdminPath> = calls.CallOptions<Path> & {
  /** the revision that the caller has seen; 412 when it is no longer the current one */
  ifMatch?: string | undefined
}
type CallArguments<Path extends AdminPath> = calls.CallArguments<CallOptions<Path>>
type JsonPath = calls.JsonPath
type UploadPath = calls.UploadPath
type ReceivedAnswer<Path extends AdminPath> = calls.ReceivedAnswer<Path>

export type UploadOptions<Path extends AdminPath> = Pick<calls.CallOptions<Path>, 'params'> & {
  /** a `File`, or a `Blob` with `fileName` */
  file: Blob
  fileName?: string
  /** other fields of the form */
  fields?: Record<string, string | number>
  /** in browsers */
  onProgress?: UploadProgress
  signal?: AbortSignal
}

export interface AdminClient {
  /** @throws AnswerError, or what `fetch` throws without a response */
  <Path extends JsonPath>(path: Path, ...options: CallArguments<Path>): Promise<ReceivedAnswer<Path>>
  /** The answer with its revision. */
  exchange<Path extends JsonPath>(path: Path, ...options: CallArguments<Path>): Promise<Exchange<ReceivedAnswer<Path>>>
  upload<Path extends UploadPath>(path: Path, options: UploadOptions<Path>): Promise<AnswerOf<Path>>
  /** Calls `onTask` with the state of an import and after each change. @returns a function that stops */
  follow(taskId: number, onTask: (task: AdminImportTask) => void, options?: FollowOptions): () => void
  /** Answers when an import has ended. @throws AnswerError when it cannot be followed any more */
  wait(taskId: number, options?: WaitOptions<AdminImportTask>): Promise<AdminImportTask>
  /** Uploads a price list, and answers when the import has ended. */
  uploadAndWait(
    path: 'POST /price-lists/:id/upload',
    options: UploadOptions<'POST /price-lists/:id/upload'> & WaitOptions<AdminImportTask>,
  ): Promise<AdminImportTask>
}

/** The admin API: without a token, in a browser, by the session of the administrator. */
export function createAdminClient(clientOptions: ClientOptions): AdminClient {
  const transport = createTransport('admin', clientOptions)
  const exchange: AdminClient['exchange'] = async (path, ...[options]) => {
    const { ifMatch, ...rest } = (options ?? {}) as RequestOptions & { ifMatch?: string }
    const repeatedAfter = path.startsWith('GET ') ? 'any-failure' : 'limit'
    const request = { ...rest, headers: optionalHeader('if-match', ifMatch) }
    return (await transport.request(path, repeatedAfter, request)) as Exchange<ReceivedAnswer<typeof path>>
  }
  const call = async <Path extends JsonPath>(path: Path, ...options: CallArguments<Path>) =>
    (await exchange(path, ...options)).answer
  const upload = async <Path extends UploadPath>(path: Path, options: UploadOptions<Path>) =>
    (await transport.upload(path, options)).answer as AnswerOf<Path>
  const source = (id: number, signal?: AbortSignal): TaskSource<AdminImportTask> => ({
    eventsUrl: transport.url('GET /import-tasks/:id/events', { params: { id } }),
    canStream: clientOptions.token === undefined && clientOptions.fetch === undefined,
    read: () => call('GET /import-tasks/:id', { params: { id }, signal }),
  })
  const wait: AdminClient['wait'] = (id, options) => awaitEnd(source(id, options?.signal), options)
  return Object.assign(call, {
    exchange,
    upload,
    follow: ((id, onTask, options) => followTask(source(id), onTask, options)) as AdminClient['follow'],
    wait,
    uploadAndWait: (async (path, options) =>
      wait((await upload(path, options)).task_id, options)) as AdminClient['uploadAndWait'],
  })
}

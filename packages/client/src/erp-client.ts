import type {
  CallArguments,
  CallOptions,
  ErpPath,
  ErpRows,
  ItemPath,
  ReceivedAnswer,
  SentBody,
} from '@partsbus/contracts/erp'
import { type BatchLimits, type BatchOutcome, sendBatches } from './send-batches.js'
import { type ClientOptions, createTransport, optionalHeader, type RequestOptions } from './transport.js'

export type { BatchOutcome } from './send-batches.js'

export interface ErpOptions {
  /** what an invalid item of the batch does; absent: as the setting `erp_error_policy` says */
  errorPolicy?: 'reject-batch' | 'reject-failed-rows'
  /** of products: sent categories and attributes replace the stored ones */
  updateMode?: 'merge' | 'replace'
  /** true: the answer has `details` */
  resultDetails?: boolean
  /** id of the open full sync that a batch of products or categories belongs to */
  fullSync?: string
  /** the `x-request-id` of the log lines and of the list of batches */
  requestId?: string
}

/** Calls that take a list of items or ids. */
export type ListPath = ItemPath | 'POST /categories/delete' | 'POST /products/delete'
export type ListItem<Path extends ListPath> = SentBody<Path, ErpRows> extends ReadonlyArray<infer Item> ? Item : string
/** Batch number 2 of `requestId` `night` is `night-2`. */
export type BatchOptions = ErpOptions & BatchLimits & { signal?: AbortSignal }

export interface ErpClient {
  /** @throws AnswerError, or what `fetch` throws without a response */
  <Path extends ErpPath>(
    path: Path,
    ...options: CallArguments<ErpOptions & CallOptions<Path, ErpRows>>
  ): Promise<ReceivedAnswer<Path, ErpRows>>
  /**
   * Sends items or ids in batches, one after another, and yields what became of each.
   * @throws AnswerError of a batch that was refused, except for 422; those before it stay written
   */
  batches<Path extends ListPath>(
    path: Path,
    items: Iterable<ListItem<Path>> | AsyncIterable<ListItem<Path>>,
    options?: BatchOptions,
  ): AsyncGenerator<BatchOutcome<ListItem<Path>, ReceivedAnswer<Path, ErpRows>>, void, undefined>
}

/** The API of the ERP, by the ERP token. */
export function createErpClient(options: ClientOptions & { token: string }): ErpClient {
  const transport = createTransport('erp', options)
  const call = async (
    path: string,
    { params, query, body, json, signal, ...sent }: ErpOptions & RequestOptions = {},
  ) => {
    const headers = {
      ...optionalHeader('x-error-policy', sent.errorPolicy),
      ...optionalHeader('x-update-mode', sent.updateMode),
      ...optionalHeader('x-result-details', sent.resultDetails ? '1' : undefined),
      ...optionalHeader('x-full-sync', sent.fullSync),
      ...optionalHeader('x-request-id', sent.requestId),
    }
    // a second start is refused while the sync of the first one is open; everything else may be repeated
    const repeatedAfter = path === 'POST /full-sync' ? 'limit' : 'any-failure'
    const request = { params, query, body, headers, signal, ...(json !== undefined && { json }) }
    return (await transport.request(path, repeatedAfter, request)).answer
  }
  const batches: ErpClient['batches'] = (path, items, { maxItems, onLimit, ...sent } = {}) => {
    let count = 0
    const send = (list: string) => {
      count += 1
      const json = path.endsWith('/delete') ? `{"ids_erp":${list}}` : list
      const id = sent.requestId === undefined ? {} : { requestId: `${sent.requestId}-${count}` }
      return call(path, { ...sent, ...id, json }) as Promise<ReceivedAnswer<typeof path, ErpRows>>
    }
    return sendBatches(items, send, { ...(maxItems !== undefined && { maxItems }), ...(onLimit && { onLimit }) })
  }
  return Object.assign(call as ErpClient, { batches })
}

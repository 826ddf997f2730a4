import type { CallArguments, CallOptions, ReceivedAnswer } from '@partsbus/contracts/http/calls'
import type { ErpPath, ErpRows } from '@partsbus/contracts/http/erp'
import { type ClientOptions, createTransport, optionalHeader, type RequestOptions } from './transport.js'

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

export interface ErpClient {
  /** @throws AnswerError, or what `fetch` throws without a response */
  <Path extends ErpPath>(
    path: Path,
    ...options: CallArguments<ErpOptions & CallOptions<Path, ErpRows>>
  ): Promise<ReceivedAnswer<Path, ErpRows>>
}

/** The API of the ERP, by the ERP token. */
export function createErpClient(options: ClientOptions & { token: string }): ErpClient {
  const transport = createTransport('erp', options)
  return async (path, ...[request]) => {
    const { params, query, body, signal, ...sent } = (request ?? {}) as ErpOptions & RequestOptions
    const headers = {
      ...optionalHeader('x-error-policy', sent.errorPolicy),
      ...optionalHeader('x-update-mode', sent.updateMode),
      ...optionalHeader('x-result-details', sent.resultDetails ? '1' : undefined),
      ...optionalHeader('x-full-sync', sent.fullSync),
      ...optionalHeader('x-request-id', sent.requestId),
    }
    const { answer } = await transport.request(path, { params, query, body, headers, signal })
    return answer as ReceivedAnswer<typeof path, ErpRows>
  }
}

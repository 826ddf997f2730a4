import type { CategoryStatus } from '@partsbus/contracts/catalog/category-state'
import type { FullSync, NotSentPage } from '@partsbus/contracts/catalog/full-sync'
import type { ProductStatus } from '@partsbus/contracts/catalog/product-state'
import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
import type { erpCommands } from '@partsbus/contracts/gateway/erp-commands'
import type { BatchCommand, Command, ItemOf, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { type ClientOptions, createTransport, optionalHeader, type RequestOptions } from './transport.js'

interface ErpBatches {
  batches: ErpBatch[]
}

type ErpCommands = typeof erpCommands
type BodyOf<C> = C extends BatchCommand ? ReadonlyArray<ItemOf<C>> : C extends Command ? RequestOf<C> : never

interface FullSyncId {
  id: string
}

/** Calls that a command answers. */
type CommandCalls = {
  [Path in keyof ErpCommands]: { body: BodyOf<ErpCommands[Path]>; answer: ReplyOf<ErpCommands[Path]> }
}

/** The calls of the ERP API under `/api/erp`. */
export interface ErpCalls extends CommandCalls {
  'GET /ping': { answer: { status: 'ok' } }
  'GET /batches': { answer: ErpBatches }
  'POST /products/status': { body: { ids_erp: readonly string[]; fields?: boolean }; answer: ProductStatus }
  'POST /categories/status': { body: { ids_erp: readonly string[] }; answer: CategoryStatus }
  'POST /full-sync': { answer: FullSync }
  'GET /full-sync/:id': { params: FullSyncId; answer: FullSync }
  'GET /full-sync/:id/not-sent': {
    params: FullSyncId
    query: { kind: 'categories' | 'products'; after?: number }
    answer: NotSentPage
  }
  'POST /full-sync/:id/complete': { params: FullSyncId; body: { max_deactivated_percent: number }; answer: FullSync }
  'POST /full-sync/:id/cancel': { params: FullSyncId; answer: FullSync }
}

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
  signal?: AbortSignal
}

type Input<Call> = (Call extends { body: infer Body } ? { body: Body } : unknown) &
  (Call extends { params: infer Params } ? { params: Params } : unknown) &
  (Call extends { query: infer Query } ? { query: Query } : unknown)
type Arguments<Call> = Call extends { body: unknown } | { params: unknown }
  ? [options: ErpOptions & Input<Call>]
  : [options?: ErpOptions]

export interface ErpClient {
  /** @throws AnswerError, or what `fetch` throws without a response */
  <Path extends keyof ErpCalls>(path: Path, ...options: Arguments<ErpCalls[Path]>): Promise<ErpCalls[Path]['answer']>
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
    return answer as ErpCalls[typeof path]['answer']
  }
}

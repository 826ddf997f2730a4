import type { ProductStatus } from '@partsbus/contracts/catalog/product-state'
import type { ErpBatch } from '@partsbus/contracts/gateway/erp-batch'
import type { erpCommands } from '@partsbus/contracts/gateway/erp-commands'
import type { BatchCommand, Command, ItemOf, ReplyOf, RequestOf } from '@partsbus/contracts/message'
import { type ClientOptions, createTransport, optionalHeader } from './transport.js'

interface ErpBatches {
  batches: ErpBatch[]
}

type ErpCommands = typeof erpCommands
type BodyOf<C> = C extends BatchCommand ? ReadonlyArray<ItemOf<C>> : C extends Command ? RequestOf<C> : never

/** Calls that a command answers. */
type CommandCalls = {
  [Path in keyof ErpCommands]: { body: BodyOf<ErpCommands[Path]>; answer: ReplyOf<ErpCommands[Path]> }
}

/** The calls of the ERP API under `/api/erp`. */
export interface ErpCalls extends CommandCalls {
  'GET /ping': { answer: { status: 'ok' } }
  'GET /batches': { answer: ErpBatches }
  'POST /products/status': { body: { ids_erp: readonly string[] }; answer: ProductStatus }
}

export interface ErpOptions {
  /** what an invalid item of the batch does; absent: as the setting `erp_error_policy` says */
  errorPolicy?: 'reject-batch' | 'reject-failed-rows'
  /** of products: sent categories and attributes replace the stored ones */
  updateMode?: 'merge' | 'replace'
  /** true: the answer has `details` */
  resultDetails?: boolean
  signal?: AbortSignal
}

export interface ErpClient {
  /** @throws AnswerError, or what `fetch` throws without a response */
  <Path extends keyof ErpCalls>(
    path: Path,
    ...options: ErpCalls[Path] extends { body: infer Body } ? [options: ErpOptions & { body: Body }] : []
  ): Promise<ErpCalls[Path]['answer']>
}

/** The API of the ERP, by the ERP token. */
export function createErpClient(options: ClientOptions & { token: string }): ErpClient {
  const transport = createTransport('erp', options)
  return async (path, ...[request]) => {
    const { body, errorPolicy, resultDetails, updateMode, signal } = (request ?? {}) as ErpOptions & { body?: unknown }
    const { answer } = await transport.request(path, {
      body,
      headers: {
        ...optionalHeader('x-error-policy', errorPolicy),
        ...optionalHeader('x-update-mode', updateMode),
        ...optionalHeader('x-result-details', resultDetails ? '1' : undefined),
      },
      signal,
    })
    return answer as ErpCalls[typeof path]['answer']
  }
}

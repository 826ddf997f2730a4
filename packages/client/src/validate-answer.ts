import { categoryStatusAnswer } from '@partsbus/contracts/catalog/category-state'
import { fullSync, notSentPage } from '@partsbus/contracts/catalog/full-sync'
import { productStatusAnswer } from '@partsbus/contracts/catalog/product-state'
import * as answers from '@partsbus/contracts/gateway/answer'
import { erpBatchesAnswer } from '@partsbus/contracts/gateway/erp-batch'
import { erpCommands } from '@partsbus/contracts/gateway/erp-commands'
import { adminRows } from '@partsbus/contracts/http/admin'

/*
 * Loaded only where answers are validated, because it brings the schemas and zod with it.
 */

type Api = 'admin' | 'erp' | 'b2b'

interface Schema {
  safeParse(value: unknown): { success: true } | { success: false; error: { message: string } }
}

const erpAnswers: Record<string, Schema> = {
  'GET /ping': answers.pong,
  'GET /batches': erpBatchesAnswer,
  'POST /products/status': productStatusAnswer,
  'POST /categories/status': categoryStatusAnswer,
  'POST /full-sync': fullSync,
  'GET /full-sync/:id': fullSync,
  'GET /full-sync/:id/not-sent': notSentPage,
  'POST /full-sync/:id/complete': fullSync,
  'POST /full-sync/:id/cancel': fullSync,
}
const partnerAnswers: Record<string, Schema> = {
  'POST /get-pick-up-points': answers.pickUpPointsAnswer,
  'POST /get-brands': answers.brandsAnswer,
  'POST /get-parts': answers.partsAnswer,
  'POST /upload-price-list': answers.uploadAnswer,
  'POST /get-price-list-status': answers.importStatusAnswer,
}

function answerSchema(api: Api, path: string): Schema | undefined {
  if (api === 'erp') return erpAnswers[path] ?? (erpCommands as Record<string, { reply: Schema }>)[path]?.reply
  if (api === 'b2b') return partnerAnswers[path]
  return (adminRows as Record<string, { answer?: Schema }>)[path]?.answer
}

/** @throws Error naming the fields of an answer that are not as the contract says */
export function validateAnswer(api: Api, path: string, answer: unknown): void {
  const schema = answerSchema(api, path)
  if (!schema) throw new Error(`${path} has no JSON answer in the contract`)
  const result = schema.safeParse(answer)
  if (!result.success) throw new Error(`the answer of ${path} is not valid: ${result.error.message}`)
}

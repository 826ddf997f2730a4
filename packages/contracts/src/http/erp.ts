import { z } from 'zod'
import { categoryStatesRequest, categoryStatusAnswer } from '../catalog/category-state.js'
import { deactivateCategories, deactivateProducts, upsertCategories, upsertProducts } from '../catalog/commands.js'
import {
  cancelFullSync,
  completeFullSync,
  fullSync,
  fullSyncCompletion,
  fullSyncInProgress,
  fullSyncRefusal,
  getFullSync,
  listNotSent,
  notSentPage,
  notSentQuery,
  startFullSync,
} from '../catalog/full-sync.js'
import { productStatesRequest, productStatusAnswer } from '../catalog/product-state.js'
import { messageAnswer, pong } from '../gateway/answer.js'
import { erpBatchesAnswer } from '../administration/erp-batch.js'
import { updatePrices, updateStocks } from '../stock/commands.js'
import { batchBody } from './batch-body.js'
import type { ErpRow, Rows } from './row.js'

/** Deactivating and looking for what was not sent take long; a deactivation goes on in the background. */
const SWEEP_MS = 30_000

/** Ids made by the catalog; anything else is no sync. */
const oneSync = z.object({
  id: z
    .string()
    .refine((text) => /^[0-9a-f]{24}$/.test(text))
    .describe('As `POST /api/erp/full-sync` returned it.'),
})

/** Every call under `/api/erp` (erp.md). */
export const erpRows = {
  'GET /ping': { name: 'ping', summary: 'Try the connection', answer: pong },
  'POST /categories/batch-upsert': {
    name: 'upsertCategories',
    summary: 'Create or update categories',
    command: upsertCategories,
    body: batchBody(upsertCategories),
    answer: upsertCategories.reply,
    headers: ['X-Error-Policy', 'X-Result-Details', 'X-Full-Sync'],
    isBatch: true,
  },
  'POST /categories/delete': {
    name: 'deactivateCategories',
    summary: 'Deactivate categories',
    command: deactivateCategories,
    body: deactivateCategories.request,
    answer: deactivateCategories.reply,
    headers: ['X-Result-Details'],
    isBatch: true,
  },
  'POST /products/batch-upsert': {
    name: 'upsertProducts',
    summary: 'Create or update products',
    command: upsertProducts,
    body: batchBody(upsertProducts),
    answer: upsertProducts.reply,
    headers: ['X-Error-Policy', 'X-Result-Details', 'X-Update-Mode', 'X-Full-Sync'],
    isBatch: true,
  },
  'POST /products/delete': {
    name: 'deactivateProducts',
    summary: 'Delete products',
    command: deactivateProducts,
    body: deactivateProducts.request,
    answer: deactivateProducts.reply,
    headers: ['X-Result-Details'],
    isBatch: true,
  },
  'POST /stocks/batch-update': {
    name: 'updateStocks',
    summary: 'Write stock levels',
    command: updateStocks,
    body: batchBody(updateStocks),
    answer: updateStocks.reply,
    headers: ['X-Error-Policy', 'X-Result-Details'],
    isBatch: true,
    writesStock: true,
  },
  'POST /prices/batch-update': {
    name: 'updatePrices',
    summary: 'Write prices',
    command: updatePrices,
    body: batchBody(updatePrices),
    answer: updatePrices.reply,
    headers: ['X-Error-Policy', 'X-Result-Details'],
    isBatch: true,
    writesStock: true,
  },
  'POST /products/status': {
    name: 'getProductStates',
    summary: 'Ask what arrived of products',
    body: productStatesRequest,
    answer: productStatusAnswer,
    readsOnly: true,
  },
  'POST /categories/status': {
    name: 'getCategoryStates',
    summary: 'Ask what arrived of categories',
    body: categoryStatesRequest,
    answer: categoryStatusAnswer,
    readsOnly: true,
  },
  'GET /batches': { name: 'listBatches', summary: 'List the latest batches', answer: erpBatchesAnswer },

  // erp.md#full-sync
  'POST /full-sync': {
    name: 'startFullSync',
    summary: 'Start a full sync',
    command: startFullSync,
    answer: fullSync,
    refusals: { 409: fullSyncInProgress },
  },
  'GET /full-sync/:id': {
    name: 'getFullSync',
    summary: 'Look at a full sync',
    params: oneSync,
    command: getFullSync,
    answer: fullSync,
  },
  'GET /full-sync/:id/not-sent': {
    name: 'listNotSent',
    summary: 'List what was not sent',
    params: oneSync,
    query: notSentQuery,
    command: listNotSent,
    answer: notSentPage,
    refusals: { 409: messageAnswer },
    timeoutMs: SWEEP_MS,
  },
  'POST /full-sync/:id/complete': {
    name: 'completeFullSync',
    summary: 'Deactivate what was not sent',
    params: oneSync,
    command: completeFullSync,
    body: fullSyncCompletion,
    answer: fullSync,
    refusals: { 409: fullSyncRefusal },
    timeoutMs: SWEEP_MS,
  },
  'POST /full-sync/:id/cancel': {
    name: 'cancelFullSync',
    summary: 'Cancel a full sync',
    params: oneSync,
    command: cancelFullSync,
    answer: fullSync,
    refusals: { 409: messageAnswer },
  },
} as const satisfies Rows<ErpRow>

export type ErpRows = typeof erpRows
export type ErpPath = keyof ErpRows

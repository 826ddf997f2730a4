import { uploadAnswer } from '../gateway/answer.js'
import { pageRequest } from '../paging.js'
import {
  deletePriceList,
  listImportTasks,
  listPriceLists,
  listSkippedRows,
  rollbackVersion,
  runSource,
} from '../pricing-import/commands.js'
import { adminImportTask } from '../pricing-import/import-task.js'
import {
  newPriceList,
  preview,
  previewAgain,
  previewedUpload,
  priceList,
  priceListPatch,
  priceListVersions,
} from '../pricing-import/price-list.js'
import type { OperationRows } from './operation.js'

/** A source may be a slow server with a large file. */
const SOURCE_MS = 60_000

export const pricingOperations = {
  'GET /price-lists': { role: 'viewer', status: 200, query: listPriceLists.request, answer: listPriceLists.reply },
  'POST /price-lists': { role: 'manager', status: 201, body: newPriceList, answer: priceList },
  'GET /price-lists/:id': { role: 'viewer', status: 200, answer: priceList },
  'PATCH /price-lists/:id': { role: 'manager', status: 200, body: priceListPatch, answer: priceList },
  'DELETE /price-lists/:id': {
    role: 'manager',
    status: 204,
    query: deletePriceList.request.pick({ with_history: true }),
  },
  'GET /price-lists/:id/versions': { role: 'viewer', status: 200, answer: priceListVersions },
  'POST /price-lists/:id/rollback': {
    role: 'manager',
    status: 200,
    body: rollbackVersion.request.pick({ version: true }).meta({ id: 'Rollback' }),
    isBodyOptional: true,
    answer: priceListVersions,
  },
  'POST /price-lists/:id/sources/:source_id/run': {
    role: 'manager',
    status: 200,
    answer: runSource.reply,
    timeoutMs: SOURCE_MS,
  },
  'POST /price-lists/:id/upload': {
    role: 'manager',
    status: 200,
    file: 'document',
    body: previewedUpload,
    answer: uploadAnswer,
  },
  'POST /price-lists/:id/preview': {
    role: 'manager',
    status: 200,
    file: 'document',
    body: previewAgain,
    answer: preview,
  },

  'GET /import-tasks': { role: 'viewer', status: 200, query: listImportTasks.request, answer: listImportTasks.reply },
  'GET /import-tasks/:id': { role: 'viewer', status: 200, answer: adminImportTask },
  'GET /import-tasks/:id/skipped': {
    role: 'viewer',
    status: 200,
    query: pageRequest,
    answer: listSkippedRows.reply,
  },
  'POST /import-tasks/:id/cancel': { role: 'manager', status: 200, answer: adminImportTask },
  'POST /import-tasks/:id/retry': { role: 'manager', status: 200, answer: adminImportTask },
  'GET /import-tasks/:id/events': { role: 'viewer', status: 200, media: 'text/event-stream' },
  'GET /import-tasks/:id/skipped.csv': { role: 'viewer', status: 200, media: 'text/csv' },
  'GET /import-tasks/:id/file': { role: 'viewer', status: 200, media: 'application/octet-stream' },
} as const satisfies OperationRows

import { uploadAnswer } from '../gateway/answer.js'
import { z } from 'zod'
import { dateText, identifier } from '../field.js'
import { pageOf, pageRequest } from '../paging.js'
import { deletePriceList, listSkippedRows, rollbackVersion, runSource } from '../pricing-import/commands.js'
import { adminImportTask, sourceTypes, taskStatuses } from '../pricing-import/import-task.js'
import {
  liveOffers,
  liveOffersQuery,
  newPriceList,
  priceList,
  priceListPatch,
  priceListRow,
  priceListVersions,
  priceListsQuery,
} from '../pricing-import/price-list.js'
import { priceListSource, sourceTest } from '../pricing-import/price-list-source.js'
import { preview, previewAgain, previewedUpload } from '../pricing-import/preview.js'
import { notAllowed } from '../violation.js'
import { type OperationRows, WORKBOOK_TYPE } from './operation.js'

/** A source may be a slow server with a large file. */
const SOURCE_MS = 60_000

const importTasksQuery = pageRequest.extend({
  price_list_id: identifier().optional(),
  status: z
    .array(z.string().meta({ enum: [...taskStatuses] }))
    .check((ctx) => {
      if (ctx.value.every((status) => (taskStatuses as readonly string[]).includes(status))) return
      const text = notAllowed('status', taskStatuses)
      ctx.issues.push({ code: 'custom', input: ctx.value, params: { rule: 'format', text } })
    })
    .optional()
    .describe('only those in one of these states; may be sent several times'),
  source_type: z.enum(sourceTypes).optional().describe('only those that came this way'),
  from: dateText().optional().describe('only those created at this time or later'),
  to: dateText().optional().describe('only those created before this time'),
})

/** Exports have all rows, so they take the filters of the list without its pages. */
const exportedOffersQuery = liveOffersQuery.pick({ article: true, brand: true })
const exportedRowsQuery = listSkippedRows.request.pick({ code: true, correctable: true })

export const pricingOperations = {
  'GET /price-lists': { role: 'viewer', status: 200, query: priceListsQuery, answer: pageOf(priceListRow) },
  'POST /price-lists': { role: 'manager', status: 201, isRevised: true, body: newPriceList, answer: priceList },
  'GET /price-lists/:id': { role: 'viewer', status: 200, isRevised: true, answer: priceList },
  'PATCH /price-lists/:id': { role: 'manager', status: 200, isRevised: true, body: priceListPatch, answer: priceList },
  'DELETE /price-lists/:id': {
    role: 'manager',
    status: 204,
    isRevised: true,
    query: deletePriceList.request.pick({ with_history: true }),
  },
  'GET /price-lists/:id/versions': { role: 'viewer', status: 200, answer: priceListVersions },
  'GET /price-lists/:id/offers': { role: 'viewer', status: 200, query: liveOffersQuery, answer: liveOffers },
  'GET /price-lists/:id/offers.csv': { role: 'viewer', status: 200, query: exportedOffersQuery, media: 'text/csv' },
  'GET /price-lists/:id/offers.xlsx': { role: 'viewer', status: 200, query: exportedOffersQuery, media: WORKBOOK_TYPE },
  'POST /price-lists/:id/rollback': {
    role: 'manager',
    status: 200,
    body: rollbackVersion.request.pick({ version: true }).meta({ id: 'Rollback' }),
    isBodyOptional: true,
    answer: priceListVersions,
  },
  'POST /price-lists/:id/sources/test': {
    role: 'manager',
    status: 200,
    body: priceListSource,
    answer: sourceTest,
    timeoutMs: SOURCE_MS,
    waitsForOthers: true,
  },
  'POST /price-lists/:id/sources/:source_id/run': {
    role: 'manager',
    status: 200,
    answer: runSource.reply,
    timeoutMs: SOURCE_MS,
    waitsForOthers: true,
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

  'GET /import-tasks': { role: 'viewer', status: 200, query: importTasksQuery, answer: pageOf(adminImportTask) },
  'GET /import-tasks/:id': { role: 'viewer', status: 200, answer: adminImportTask },
  'GET /import-tasks/:id/skipped': {
    role: 'viewer',
    status: 200,
    query: listSkippedRows.request.omit({ id: true }),
    answer: listSkippedRows.reply,
  },
  'POST /import-tasks/:id/cancel': { role: 'manager', status: 200, answer: adminImportTask },
  'POST /import-tasks/:id/retry': { role: 'manager', status: 200, answer: adminImportTask },
  'GET /import-tasks/:id/events': { role: 'viewer', status: 200, media: 'text/event-stream' },
  'GET /import-tasks/:id/skipped.csv': { role: 'viewer', status: 200, query: exportedRowsQuery, media: 'text/csv' },
  'GET /import-tasks/:id/skipped.xlsx': { role: 'viewer', status: 200, query: exportedRowsQuery, media: WORKBOOK_TYPE },
  'GET /import-tasks/:id/file': { role: 'viewer', status: 200, media: 'application/octet-stream' },
} as const satisfies OperationRows

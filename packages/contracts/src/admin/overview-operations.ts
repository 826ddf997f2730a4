import { z } from 'zod'
import { identifier } from '../field.js'
import { apiPoint, explainedBrands, explainedParts, overview, references } from '../gateway/overview.js'
import { statisticsRange } from '../gateway/statistics-range.js'
import { getImportStatistics } from '../pricing-import/overview.js'
import { brandsRequest, partsRequest } from '../supplier-search/commands.js'
import { getSupplierStatistics } from '../supplier-search/overview.js'
import type { OperationRows } from './operation.js'

export const overviewOperations = {
  'GET /overview': { role: 'viewer', status: 200, answer: overview, waitsForOthers: true },
  'GET /references': { role: 'viewer', status: 200, answer: references },

  'GET /statistics/imports': {
    role: 'viewer',
    status: 200,
    query: statisticsRange.extend({ price_list_id: identifier().optional() }),
    answer: getImportStatistics.reply.shape.points,
  },
  'GET /statistics/suppliers': {
    role: 'viewer',
    status: 200,
    query: statisticsRange.extend({ storage_id: identifier().optional() }),
    answer: getSupplierStatistics.reply.shape.points,
  },
  'GET /statistics/apis': { role: 'viewer', status: 200, query: statisticsRange, answer: z.array(apiPoint) },

  'POST /search/brands': {
    role: 'viewer',
    status: 200,
    body: brandsRequest,
    answer: explainedBrands,
    waitsForOthers: true,
  },
  'POST /search/parts': {
    role: 'viewer',
    status: 200,
    body: partsRequest,
    answer: explainedParts,
    waitsForOthers: true,
  },
} as const satisfies OperationRows

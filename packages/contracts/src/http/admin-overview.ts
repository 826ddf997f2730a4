import { z } from 'zod'
import { identifier } from '../field.js'
import { apiPoint, explainedBrands, explainedParts, overview, references } from '../administration/overview.js'
import { statisticsRange } from '../administration/statistics-range.js'
import { getImportStatistics } from '../pricing-import/overview.js'
import { brandsRequest, partsRequest } from '../supplier-search/commands.js'
import { getSupplierStatistics } from '../supplier-search/overview.js'
import type { AdminRow, Rows } from './row.js'

export const overviewRows = {
  'GET /overview': {
    name: 'getOverview',
    summary: 'Show the state of everything',
    role: 'viewer',
    answer: overview,
    waitsForOthers: true,
  },
  'GET /references': {
    name: 'listReferences',
    summary: 'List the names of everything',
    role: 'viewer',
    answer: references,
  },
  'GET /statistics/imports': {
    name: 'getImportStatistics',
    summary: 'Count imports',
    role: 'viewer',
    query: statisticsRange.extend({ price_list_id: identifier().optional().describe('imports of this list') }),
    answer: getImportStatistics.reply.shape.points,
  },
  'GET /statistics/suppliers': {
    name: 'getSupplierStatistics',
    summary: 'Count the answers of suppliers',
    role: 'viewer',
    query: statisticsRange.extend({ storage_id: identifier().optional().describe('answers of this storage') }),
    answer: getSupplierStatistics.reply.shape.points,
  },
  'GET /statistics/apis': {
    name: 'getApiStatistics',
    summary: 'Count the requests of the ERP and of partners',
    role: 'viewer',
    query: statisticsRange,
    answer: z.array(apiPoint),
  },
  'POST /search/brands': {
    name: 'explainBrands',
    summary: 'Search the brands of an article',
    role: 'viewer',
    body: brandsRequest,
    answer: explainedBrands,
    waitsForOthers: true,
    readsOnly: true,
  },
  'POST /search/parts': {
    name: 'explainParts',
    summary: 'Search the offers of an article',
    role: 'viewer',
    body: partsRequest,
    answer: explainedParts,
    waitsForOthers: true,
    readsOnly: true,
  },
} as const satisfies Rows<AdminRow>

import { z } from 'zod'
import { listReferences } from '../administration/commands.js'
import { identifier } from '../field.js'
import { apiPoint, explainedBrands, explainedParts, overview, references } from '../administration/overview.js'
import {
  limitPoints,
  type StatisticsRange,
  statisticsPeriodOf,
  statisticsRange,
} from '../administration/statistics-range.js'
import { getImportStatistics } from '../pricing-import/overview.js'
import { brandsRequest, partsRequest } from '../supplier-search/commands.js'
import { explainBrands, explainParts, getSupplierStatistics } from '../supplier-search/overview.js'
import type { ReplyOf } from '../message.js'
import type { AdminRow, CheckedInput, Rows } from './row.js'

/** The search answers within 10 s (rules.md#suppliers-time). */
const SEARCH_MS = 12_000

/** What the query asks for, with its hours or days as a service counts them. */
function toPeriodRequest({ query: { from, to, step, ...filter } }: CheckedInput): object {
  return { ...filter, ...statisticsPeriodOf({ from, to, step } as StatisticsRange) }
}

/** Whether partners may search is added, and what an earlier version does not say (admin.md#search-explain). */
const explanation = {
  timeoutMs: SEARCH_MS,
  toAnswer: (reply: object, _input, { b2b_enabled }) => {
    const { suppliers } = reply as ReplyOf<typeof explainBrands>
    return { asked: suppliers.length, of: null, also_in: [], sold_out: [], ...reply, is_open: b2b_enabled }
  },
} as const satisfies Pick<AdminRow, 'timeoutMs' | 'toAnswer'>

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
    command: listReferences,
    isDigested: true,
  },
  'GET /statistics/imports': {
    name: 'getImportStatistics',
    summary: 'Count imports',
    role: 'viewer',
    query: statisticsRange.extend({ price_list_id: identifier().optional().describe('imports of this list') }),
    answer: getImportStatistics.reply.shape.points,
    command: getImportStatistics,
    toRequest: toPeriodRequest,
    answerField: 'points',
  },
  'GET /statistics/suppliers': {
    name: 'getSupplierStatistics',
    summary: 'Count the answers of suppliers',
    role: 'viewer',
    query: statisticsRange.extend({ storage_id: identifier().optional().describe('answers of this storage') }),
    answer: getSupplierStatistics.reply.shape.points,
    command: getSupplierStatistics,
    toRequest: toPeriodRequest,
    toAnswer: (reply) => limitPoints((reply as ReplyOf<typeof getSupplierStatistics>).points),
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
    command: explainBrands,
    ...explanation,
    waitsForOthers: true,
    readsOnly: true,
  },
  'POST /search/parts': {
    name: 'explainParts',
    summary: 'Search the offers of an article',
    role: 'viewer',
    body: partsRequest,
    answer: explainedParts,
    command: explainParts,
    ...explanation,
    waitsForOthers: true,
    readsOnly: true,
  },
} as const satisfies Rows<AdminRow>

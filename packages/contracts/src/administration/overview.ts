import { z } from 'zod'
import { catalogFigures } from '../catalog/overview.js'
import { importFigures, priceListReference, sourceFigures } from '../pricing-import/overview.js'
import { pickUpPointReference, stockFigures, storageReference } from '../stock/overview.js'
import { askedStorages, explainBrands, explainParts, supplierFigures } from '../supplier-search/overview.js'
import { problemCodes } from './problem-codes.js'

export const serviceNames = [
  'gateway',
  'administration',
  'catalog',
  'stock',
  'pricing-import',
  'supplier-search',
] as const

export const serviceState = z
  .object({
    name: z.enum(serviceNames),
    state: z.enum(['up', 'slow', 'away']),
    ms: z.int().nullable().describe('milliseconds until it answered; null: it did not').meta({ example: 184 }),
  })
  .meta({ id: 'ServiceState' })

export type ServiceState = z.infer<typeof serviceState>

export const problem = z
  .object({
    code: z.enum(problemCodes),
    severity: z.enum(['error', 'warning']),
    since: z.iso.datetime().nullable().describe('null: not known'),
    params: z.record(z.string(), z.unknown()).describe('what the problem concerns: ids, names, messages'),
    count: z.int().describe('how many of them there are'),
  })
  .meta({ id: 'Problem' })

export type Problem = z.infer<typeof problem>

const figure = z.int().nullable().describe('in the last 24 h; null while they cannot be read')
export const apiFigures = z
  .object({
    is_enabled: z.boolean(),
    is_ready: z.boolean().describe('whether everything that it needs is set'),
    last_call_at: z.iso.datetime().nullable().describe('of the last request with a valid token; at most 10 s behind'),
    requests: figure,
    refused: figure.describe('answered 4xx, or while it is off'),
    failed: figure.describe('answered 5xx'),
  })
  .meta({ id: 'ApiFigures' })

export type ApiFigures = z.infer<typeof apiFigures>

/** `GET /overview`. A part is null while its service does not answer. */
export const overview = z
  .object({
    at: z.iso.datetime(),
    version: z.string().meta({ example: '0.1.0' }),
    services: z.array(serviceState),
    problems: z.array(problem),
    imports: importFigures.nullable(),
    sources: sourceFigures.nullable(),
    catalog: catalogFigures.nullable(),
    stock: stockFigures.nullable(),
    suppliers: z.array(supplierFigures).nullable(),
    apis: z.object({ erp: apiFigures, b2b: apiFigures }).meta({ id: 'Apis' }),
  })
  .meta({ id: 'Overview' })

export type Overview = z.infer<typeof overview>

/** `GET /references`: names for pickers and labels. */
export const references = z
  .object({
    storages: z.array(storageReference),
    price_lists: z.array(priceListReference),
    pick_up_points: z.array(pickUpPointReference),
    owners: z
      .array(z.string())
      .describe('display names of the owners')
      .meta({ example: ['Анна Смирнова'] }),
  })
  .meta({ id: 'References' })

export type References = z.infer<typeof references>

/** The requests of one API in one hour or day. */
export const apiPoint = z
  .object({
    at: z.iso.datetime().describe('begin of the hour or of the day in UTC'),
    api: z.enum(['erp', 'b2b']),
    requests: z.int(),
    refused: z.int(),
    failed: z.int(),
    p95_ms: z.int().nullable().meta({ example: 240 }),
  })
  .meta({ id: 'ApiPoint' })

export type ApiPoint = z.infer<typeof apiPoint>

const isOpen = { is_open: z.boolean().describe('whether the partner API is on'), ...askedStorages }
/** `POST /search/brands` */
export const explainedBrands = explainBrands.reply.extend(isOpen).meta({ id: 'ExplainedBrands' })
/** `POST /search/parts` */
export const explainedParts = explainParts.reply.extend(isOpen).meta({ id: 'ExplainedParts' })

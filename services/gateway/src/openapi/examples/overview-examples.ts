import type { ApiPoint, Overview, References } from '@partsbus/contracts/gateway/overview'
import type { ReplyOf } from '@partsbus/contracts/message'
import type { ImportPoint } from '@partsbus/contracts/pricing-import/overview'
import type {
  explainBrands,
  explainParts,
  SupplierOutcome,
  SupplierPoint,
} from '@partsbus/contracts/supplier-search/overview'
import { adminImportTask } from './pricing-examples.js'

const at = '2026-11-21T10:15:00.000Z'
const hour = '2026-11-21T10:00:00.000Z'

export const overview: Overview = {
  at,
  version: '0.4.0',
  services: [
    { name: 'gateway', state: 'up', ms: 3 },
    { name: 'catalog', state: 'up', ms: 6 },
    { name: 'stock', state: 'up', ms: 4 },
    { name: 'pricing-import', state: 'up', ms: 9 },
    { name: 'supplier-search', state: 'away', ms: null },
  ],
  problems: [
    { code: 'service-away', severity: 'error', since: at, params: { name: 'supplier-search' }, count: 1 },
    {
      code: 'source-failing',
      severity: 'warning',
      since: '2026-11-21T01:00:00.000Z',
      params: {
        price_list_id: 2,
        price_list_name: 'Supplier North',
        source_id: 1,
        kind: 'ftp',
        message: 'The server refused the password.',
      },
      count: 4,
    },
  ],
  imports: {
    pending: 0,
    processing: 1,
    oldest_pending_at: null,
    day: { completed: 12, failed: 1, rows: 184_332, imported: 184_020, skipped: 312 },
    last: [adminImportTask],
  },
  sources: {
    active: 3,
    failing: [
      {
        price_list_id: 2,
        price_list_name: 'Supplier North',
        source_id: 1,
        kind: 'ftp',
        since: '2026-11-21T01:00:00.000Z',
        message: 'The server refused the password.',
      },
    ],
  },
  catalog: {
    products: 312_410,
    deleted: 204,
    categories: 1_204,
    pictures_pending: 0,
    pictures_failed: 0,
    last_batch_at: at,
  },
  stock: { supplies: 298_117, storages: 3, pick_up_points: 2, last_update_at: at },
  suppliers: null,
  apis: {
    erp: { is_enabled: true, is_ready: true, last_call_at: at, requests: 1_204, refused: 3, failed: 0 },
    b2b: { is_enabled: true, is_ready: true, last_call_at: at, requests: 88_310, refused: 0, failed: 0 },
  },
}

export const references: References = {
  storages: [{ id: 1, name: 'Main warehouse', is_active: true, kind: 'own-stock' }],
  price_lists: [{ id: 2, name: 'Supplier North', storage_id: 3, is_active: true, last_file_name: 'price.csv' }],
  pick_up_points: [{ id: 1, name: 'Склад на Заводской', is_active: true }],
  owners: ['Anna'],
}

export const importPoint: ImportPoint = {
  at: hour,
  completed: 3,
  failed: 1,
  superseded: 0,
  rows: 184_332,
  imported: 184_020,
  skipped: 312,
  seconds: 21.4,
}
export const supplierPoint: SupplierPoint = {
  at: hour,
  storage_id: 3,
  asked: 210,
  ok: 205,
  timeout: 4,
  error: 1,
  cut_off: 0,
  cached: 40,
  p50_ms: 110,
  p95_ms: 240,
}
export const apiPoint: ApiPoint = { at: hour, api: 'b2b', requests: 3_680, refused: 2, failed: 0, p95_ms: 260 }

const suppliers: SupplierOutcome[] = [
  {
    storage_id: 1,
    storage_name: 'Main warehouse',
    kind: 'own-stock',
    outcome: 'ok',
    ms: 4,
    rows: 1,
    from_cache: false,
    error: null,
  },
  {
    storage_id: 3,
    storage_name: 'Supplier North',
    kind: 'http',
    outcome: 'timeout',
    ms: 4_000,
    rows: 0,
    from_cache: false,
    error: 'No answer within 4000 ms.',
  },
]
const explanation = { article_key: 'OC1051', asked_by: 'storages_for_crosses' as const, suppliers, is_open: true }
const partial = { result: true, message: 'Partial result: 1 of 2 suppliers did not answer.' }
const storage = { storage_id: 1, storage_name: 'Main warehouse' }

export const explainedBrands: ReplyOf<typeof explainBrands> & { is_open: boolean } = {
  ...partial,
  brands: [{ brand: 'MAHLE', article: 'OC 1051', name: 'Oil filter', storages: [storage] }],
  ...explanation,
}
export const explainedParts: ReplyOf<typeof explainParts> & { is_open: boolean } = {
  ...partial,
  parts: [{ brand: 'MAHLE', article: 'OC 1051', name: 'Oil filter', quantity: 7, price: 12.5, ...storage }],
  ...explanation,
}

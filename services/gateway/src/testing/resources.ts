import type { Category } from '@partsbus/contracts/catalog/category'
import { type ItemMedia, mediaJob as mediaJobSchema } from '@partsbus/contracts/catalog/media'
import type { Product } from '@partsbus/contracts/catalog/product'
import { describeSchema } from '@partsbus/contracts/json-schema'
import type { Command } from '@partsbus/contracts/message'
import type { AdminImportTask, ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { PriceList } from '@partsbus/contracts/pricing-import/price-list'
import type { PriceListVersion } from '@partsbus/contracts/pricing-import/price-list-version'
import { sourceTest as sourceTestSchema } from '@partsbus/contracts/pricing-import/price-list-source'
import { preview as previewSchema } from '@partsbus/contracts/pricing-import/preview'
import {
  offeredPickUpPoint as offeredPointSchema,
  pickUpPoint as pointSchema,
} from '@partsbus/contracts/stock/pick-up-point'
import { supply as supplySchema } from '@partsbus/contracts/stock/stock-item'
import type { Storage } from '@partsbus/contracts/stock/storage'
import { brandEntry, part } from '@partsbus/contracts/supplier-search/commands'
import { exampleOf } from '@partsbus/openapi/example-of'

/** What services answer in specs: the examples of the contracts. */
function example<Schema extends Command['reply']>(schema: Schema): Schema['_output'] {
  const { schema: json, components } = describeSchema(schema, 'output')
  return exampleOf(json, components) as Schema['_output']
}

const at = '2026-11-21T10:15:00.000Z'

export const mediaJob = example(mediaJobSchema)
export const pickUpPoint = example(pointSchema)
export const offeredPickUpPoint = example(offeredPointSchema)
export const supply = example(supplySchema)
export const sourceTest = example(sourceTestSchema)
export const preview = example(previewSchema)
export const brandEntries = [example(brandEntry)]
export const parts = [example(part)]

export const storage: Storage = {
  id: 2,
  name: 'Supplier North',
  is_active: true,
  supplier: {
    kind: 'http',
    base_url: 'https://api.supplier.example/v1',
    headers: { 'X-Api-Key': '***' },
    timeout_ms: 3_000,
    cache_seconds: 60,
    dialect: 'standard',
  },
}
const made = { markup_percent: 15, delivery_days: 2 }
export const versions: PriceListVersion[] = [
  { version: 41, number: 3, ...made, task_id: 41, rows: 51_200, is_active: true, created_at: at },
  {
    version: 38,
    number: 2,
    ...made,
    task_id: 38,
    rows: 50_870,
    is_active: false,
    created_at: '2026-11-20T10:15:00.000Z',
  },
]

const media: ItemMedia = {
  id: 7,
  url: 'https://parts.example.org/media/7/nb-1204.jpg',
  file_name: 'nb-1204.jpg',
  mime_type: 'image/jpeg',
  size: 48_213,
  width: 800,
  height: 600,
  custom_properties: { sort_order: 0, is_main: true },
}
export const category: Category = {
  id: 11,
  erp_id: 'C-11',
  parent_id: 10,
  name: 'Brake pads',
  description: 'Pads for disc brakes',
  slug: 'brake-pads',
  is_active: true,
  sort: 0,
  media: [
    {
      ...media,
      id: 6,
      url: 'https://parts.example.org/media/6/brake-pads.png',
      file_name: 'brake-pads.png',
      mime_type: 'image/png',
      custom_properties: {},
    },
  ],
  created_at: at,
  updated_at: at,
}
export const product: Product = {
  id: 1,
  erp_id: 'P/0001',
  name: 'Brake pad set, front',
  brand: 'NORDBREMS',
  article: 'NB-1204',
  description: '<p>Four pads with wear indicator.</p>',
  slug: 'brake-pad-set-front-nb-1204',
  is_active: true,
  sort: 5,
  deleted_at: null,
  categories: [{ id: 11, erp_id: 'C-11', name: 'Brake pads' }],
  attributes: [
    { name: 'Thickness', type: 'mm', value: '17.5' },
    { name: 'Side', type: '', value: 'front' },
  ],
  media: [media],
  created_at: at,
  updated_at: at,
}
export const brandSynonym = { id: 3, canonical: 'BOSCH', synonyms: ['Robert Bosch', 'БОШ'] }
export const priceList: PriceList = {
  id: 7,
  name: 'North, daily',
  storage_id: 12,
  is_active: true,
  mode: 'replace',
  markup_percent: 15,
  min_rows_ratio: 0.5,
  delivery_days: 2,
  format: {
    encoding: 'auto',
    delimiter: ';',
    columns: { brand: 'Бренд', article: ['Артикул', 'B'], quantity: 4, price: 'Цена' },
  },
  sources: [
    {
      id: 1,
      kind: 'url',
      url: 'https://north.example/price.zip',
      username: 'shop',
      password: '***',
      is_active: true,
      every_minutes: 60,
      last_run: { at, outcome: 'imported', message: 'The file was taken for import.', task_id: 41 },
    },
  ],
}
export const importTask: ImportTask = {
  id: 41,
  price_list_id: 7,
  status: 'processing',
  status_label: 'Processing',
  source_type: 'manual',
  total_rows: 52_000,
  processed_rows: 18_000,
  imported_rows: 17_920,
  skipped_rows: 80,
  error_message: null,
  started_at: '2026-11-21T10:15:00.000Z',
  completed_at: null,
}
export const adminImportTask: AdminImportTask = {
  ...importTask,
  file_name: 'price.csv',
  file_size: 2_481_022,
  rows_per_second: 21_400,
  superseded: false,
  created_at: '2026-11-21T10:14:58.000Z',
  created_by: 'anna',
  queue_position: null,
  skipped_by_code: { BAD_QUANTITY: 60, DUPLICATE: 20 },
  error_code: null,
  is_live: false,
  live_rows: 0,
  warnings: [],
  retry_of: null,
}

import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type {
  NewPriceList,
  PriceList,
  PriceListPatch,
  PriceListRow,
  PriceListVersion,
  SkippedRow,
} from '@partsbus/contracts/pricing-import/price-list'
import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import { failedTask, importTask } from './b2b-examples.js'

const at = '2026-11-21T10:15:00.000Z'

export const newBrandSynonym = { canonical: 'BOSCH', synonyms: ['Robert Bosch', 'БОШ'] }
export const brandSynonym = { id: 3, ...newBrandSynonym }
export const brandSynonymPatch = { synonyms: ['Robert Bosch', 'БОШ', 'Bosch GmbH'] }

export const newPriceList: NewPriceList = {
  name: 'North, daily',
  storage_id: 12,
  markup_percent: 15,
  min_rows_ratio: 0.5,
  delivery_days: 2,
  format: {
    encoding: 'auto',
    delimiter: ';',
    columns: { brand: 'Бренд', article: ['Артикул', 'B'], quantity: 4, price: 'Цена' },
  },
  sources: [
    { kind: 'url', url: 'https://north.example/price.zip', username: 'shop', password: 'secret', every_minutes: 60 },
  ],
}
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
export const priceListRow: PriceListRow = {
  ...priceList,
  live: { version: 41, rows: 51_200, since: at },
  last_task: { id: 41, status: 'completed', completed_at: at, superseded: false, error_code: null },
  next_run_at: '2026-11-21T11:15:00.000Z',
}
export const testedSource = {
  id: 2,
  kind: 'ftp',
  host: 'ftp.north.example',
  username: 'shop',
  password: '***',
  path: 'out',
  pattern: 'price*.xlsx',
}
export const sourceTest = {
  ok: true,
  ms: 840,
  code: null,
  message: 'The file price-21.xlsx was fetched.',
  file: { name: 'price-21.xlsx', size: 2_481_022, modified_at: at },
  preview_id: '118-5f3a9c0e7b21',
}
export const liveOffers = {
  data: [
    {
      row: 4,
      brand: 'BOSCH',
      article: '0 986 424 590',
      name: 'Колодки',
      quantity: 4,
      price: 1419.68,
      delivery_days: 2,
    },
  ],
  total: 1,
  page: 1,
  per_page: 50,
  version: 41,
}
export const priceListPatch: PriceListPatch = { markup_percent: 12.5, is_active: false }

export const versions: PriceListVersion[] = [
  { version: 41, task_id: 41, rows: 51_200, is_active: true, created_at: at },
  { version: 38, task_id: 38, rows: 50_870, is_active: false, created_at: '2026-11-20T10:15:00.000Z' },
]
export const rolledBack: PriceListVersion[] = versions.map((version) => ({
  ...version,
  is_active: version.version === 38,
}))

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
export const failedImportTask: AdminImportTask = {
  ...failedTask,
  file_name: 'price.csv',
  file_size: 212,
  rows_per_second: 3,
  superseded: false,
  created_at: '2026-11-21T10:14:58.000Z',
  created_by: 2,
  queue_position: null,
  skipped_by_code: { BAD_QUANTITY: 3 },
  error_code: 'NO_IMPORTABLE_ROWS',
  is_live: false,
  live_rows: 0,
  warnings: [],
  retry_of: null,
}

export const skippedRow: SkippedRow = {
  row: 118,
  code: 'BAD_QUANTITY',
  message: 'The quantity is not understood.',
  cells: ['BOSCH', '0 986 424 590', 'Колодки', '?', '1 234,50'],
}

export const preview: Preview = {
  encoding: 'windows-1251',
  delimiter: ';',
  sheet: null,
  columns: { brand: 1, article: 2, name: 3, quantity: 4, price: 5 },
  rows: [
    {
      row: 4,
      brand: 'BOSCH',
      article: '0 986 424 590',
      name: 'Колодки',
      quantity: 4,
      price: 1419.68,
      delivery_days: 2,
    },
  ],
  rejected: [skippedRow],
  totals: { rows: 52_000, importable: 51_200, skipped: 800 },
  preview_id: '118-5f3a9c0e7b21',
  file: { name: 'price.csv', size: 2_481_022 },
  sheets: [],
  header: { row: 3, cells: ['Бренд', 'Артикул', 'Наименование', 'Остаток', 'Опт, руб', 'Розница, руб'] },
  sample: [
    { row: 1, cells: ['Прайс-лист'] },
    { row: 3, cells: ['Бренд', 'Артикул', 'Наименование', 'Остаток', 'Опт, руб', 'Розница, руб'] },
    { row: 4, cells: ['BOSCH', '0 986 424 590', 'Колодки', '4', '1 234,50', '1 790'] },
  ],
  found_by: { brand: 'heading', article: 'heading', name: 'heading', quantity: 'heading', price: 'set' },
  sheet_details: [],
  choices: { price: [{ column: 6, heading: 'Розница, руб' }] },
  skipped_by_code: { BAD_QUANTITY: 780, DUPLICATE: 20 },
  live_rows: 50_870,
  guard: 'passes',
  shown_brands: { BOSCH: 'BOSCH' },
  changes: { added: 640, gone: 310, repriced: 4_120, is_estimate: false },
  warnings: [
    {
      code: 'NO_NAME',
      message: '12 rows have no product name. Partners do not find these brands with get-brands, only with get-parts.',
      count: 12,
    },
  ],
}

export const previewAgain = {
  file: { preview_id: '118-5f3a9c0e7b21' },
  draft: { format: { columns: { price: 'F' } }, markup_percent: 10 },
}
export const previewedUpload = { preview_id: '118-5f3a9c0e7b21', mode: 'merge' }
/** A file whose columns are not found: the answer to a preview with a draft. */
export const previewWithProblem: Preview = {
  ...preview,
  columns: { brand: 1, article: 2 },
  found_by: { brand: 'heading', article: 'heading' },
  rows: [],
  rejected: [],
  totals: { rows: 0, importable: 0, skipped: 0 },
  choices: {},
  skipped_by_code: {},
  shown_brands: {},
  changes: null,
  warnings: [],
  problem: {
    code: 'COLUMNS_NOT_FOUND',
    missing: ['quantity'],
    message: 'No column was found for the quantity. Name the columns in a header row, or set them in the price list.',
  },
}

/** The answer to a preview without a draft of a file whose columns are not found. */
export const refusedPreview = {
  message:
    'Uploaded file is not valid. No column was found for the quantity. Name the columns in a header row, or set them ' +
    'in the price list. The text was read as windows-1251.',
  preview: {
    encoding: preview.encoding,
    delimiter: preview.delimiter,
    sheet: null,
    sheets: [],
    sheet_details: [],
    columns: { brand: 1, article: 2 },
    found_by: { brand: 'heading', article: 'heading' },
    choices: {},
    header: preview.header,
    sample: preview.sample,
    problem: previewWithProblem.problem,
  },
}

import type { ImportTask } from '@partsbus/contracts/pricing-import/import-task'
import type { OfferedPickUpPoint } from '@partsbus/contracts/stock/pick-up-point'
import type { BrandEntry, Part } from '@partsbus/contracts/supplier-search/commands'

export const offeredPickUpPoint: OfferedPickUpPoint = {
  id: 1,
  caption: 'Склад на Заводской',
  country: null,
  region: null,
  city: 'Екатеринбург',
  address: 'ул. Заводская, 1',
  phone: '+7 343 000-00-00',
  email: '',
  description: '',
  timetable: 'Mon–Fri 9–18',
}

export const brandsRequest = { article: '0 986 424 590', pick_up_points: [1] }
export const brandEntries: BrandEntry[] = [
  {
    brand: 'BOSCH',
    article: '0 986 424 590',
    name: 'Колодки тормозные',
    storages: [
      { storage_id: 12, storage_name: 'Supplier North' },
      { storage_id: 14, storage_name: 'Main' },
    ],
  },
]

export const partsRequest = { article: '0 986 424 590', brands: ['BOSCH', 'ATE'] }
export const parts: Part[] = [
  {
    brand: 'BOSCH',
    article: '0986424590',
    name: 'Brake pads',
    quantity: 4,
    price: 2140.5,
    delivery_days: 2,
    storage_id: 12,
    storage_name: 'Supplier North',
  },
  {
    brand: 'BOSCH',
    article: '0 986 424 590',
    name: 'Колодки тормозные',
    quantity: 1,
    storage_id: 14,
    storage_name: 'Main',
  },
]

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
export const failedTask: ImportTask = {
  ...importTask,
  status: 'failed',
  status_label: 'Failed',
  total_rows: 3,
  processed_rows: 3,
  imported_rows: 0,
  skipped_rows: 3,
  error_message: 'No row could be imported.',
  completed_at: '2026-11-21T10:15:02.000Z',
}

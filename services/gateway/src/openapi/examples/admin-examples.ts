import type { Category, CategoryRow } from '@partsbus/contracts/catalog/category'
import type { ItemMedia, MediaJob } from '@partsbus/contracts/catalog/media'
import type { RequestOf } from '@partsbus/contracts/message'
import type { Page } from '@partsbus/contracts/paging'
import type { NewPickUpPoint, PickUpPoint, PickUpPointPatch } from '@partsbus/contracts/stock/pick-up-point'
import type { Product } from '@partsbus/contracts/catalog/product'
import {
  type AuditEntry,
  defaultSettings,
  type IssuedToken,
  type SettingsPatch,
  type SettingsView,
} from '@partsbus/contracts/gateway/settings'
import type { patchSupply } from '@partsbus/contracts/stock/commands'
import type { Supply } from '@partsbus/contracts/stock/stock-item'
import type { NewStorage, Storage, StoragePatch } from '@partsbus/contracts/stock/storage'

const at = '2026-11-21T10:15:00.000Z'
export const exampleToken = 'Qh3l0s0bO3W7k1d2X9yPzv4nF5tJ6uA8rB0cE2gI4mM'

export const settingsView: SettingsView = {
  ...defaultSettings,
  erp_enabled: true,
  erp_storage_id: 1,
  erp_pick_up_point_id: 1,
  erp_allowed_ips: ['203.0.113.0/24'],
  erp_token: { last4: exampleToken.slice(-4), issued_at: at },
  b2b_token: null,
}
export const issuedToken: IssuedToken = { token: exampleToken, last4: exampleToken.slice(-4), issued_at: at }
export const settingsPatch: SettingsPatch = {
  erp_enabled: true,
  erp_storage_id: 1,
  erp_pick_up_point_id: 1,
  erp_allowed_ips: ['203.0.113.0/24'],
}
export const auditEntries: AuditEntry[] = [
  {
    id: '692041c0a1f4b2c3d4e5f607',
    at,
    actor: 'anna',
    actor_id: 1,
    action: 'storage.patch',
    entity: 'storage',
    entity_id: 3,
    request_id: '0f6e2f0a-7d55-4c3f-9b1e-2a7a5f1d9c10',
    address: '203.0.113.9',
    details: { id: 3, is_active: false },
  },
  {
    id: '692041b8a1f4b2c3d4e5f606',
    at: '2026-11-21T10:14:00.000Z',
    actor: 'admin',
    actor_id: null,
    action: 'erp-token.issue',
    entity: 'erp-token',
    entity_id: null,
    request_id: '5b0a4a2e-3c1d-4a55-8f3e-6d9d2b7c1e00',
    address: '203.0.113.9',
    details: { last4: exampleToken.slice(-4), replaced: null },
  },
]

export const newPickUpPoint: NewPickUpPoint = {
  name: 'Склад на Заводской',
  city: 'Екатеринбург',
  address: 'ул. Заводская, 1',
  schedule: 'Mon–Fri 9–18',
  storage_ids: [1],
}
export const pickUpPointPatch: PickUpPointPatch = { phone: '+7 343 000-00-00', is_active: false }
export const pickUpPoint: PickUpPoint = {
  id: 1,
  name: 'Склад на Заводской',
  country: null,
  region: null,
  city: 'Екатеринбург',
  address: 'ул. Заводская, 1',
  phone: '',
  email: '',
  description: '',
  schedule: 'Mon–Fri 9–18',
  is_active: true,
  storage_ids: [1],
}

export const newStorage: NewStorage = {
  name: 'Supplier North',
  supplier: {
    kind: 'http',
    base_url: 'https://api.supplier.example/v1',
    headers: { 'X-Api-Key': 'secret' },
    timeout_ms: 3_000,
  },
}
export const storagePatch: StoragePatch = {
  supplier: { kind: 'http', base_url: 'https://api.supplier.example/v2', headers: { 'X-Api-Key': '***' } },
}
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
export const categoryRow: CategoryRow = { ...category, children: 4, products: 120, pending_parent_erp_id: null }
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
export const supply: Supply = {
  id: 1,
  product_id: 1,
  pick_up_point_id: 1,
  storage_id: 1,
  purchase_price: 1_290.5,
  selling_price: 1_990,
  old_price: null,
  quantity: 24,
  reserved: 2,
  shipped: 0,
  supply_date: '2026-11-21T00:00:00.000Z',
  delivery_days: 2,
}
export const supplyPatch: RequestOf<typeof patchSupply>['patch'] = {
  selling_price: 1_990,
  old_price: null,
  reserved: 2,
}
export const mediaJob: MediaJob = {
  id: 31,
  item: 'product',
  erp_id: 'P/0001',
  url: 'https://erp.example.org/images/nb-1204.jpg',
  attempts: 4,
  last_error: 'the address is not public',
  status: 'failed',
  updated_at: at,
}

export function pageWith<Row>(...data: Row[]): Page<Row> {
  return { data, total: data.length, page: 1, per_page: 50 }
}

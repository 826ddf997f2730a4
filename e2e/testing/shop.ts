import { type ProductOptions, type RunningProduct, startProduct } from '@partsbus/local-stack/running-product'
import { ApiClient, type ApiResponse } from './api-client.js'

/*
 * Replies are typed by hand from the specification, not from the contracts, so that a field changed in the contracts by
 * mistake fails the specs.
 */
export interface Page<Row> {
  data: Row[]
  total: number
  page: number
  per_page: number
}

export interface Media {
  id: number
  url: string
  file_name: string
  mime_type: string
  size: number
  width: number
  height: number
  custom_properties: { sort_order?: number; is_main?: boolean }
}

export interface Category {
  id: number
  erp_id: string
  parent_id: number | null
  name: string
  description: string | null
  slug: string
  is_active: boolean
  sort: number
  media: Media[]
  created_at: string
  updated_at: string
}

export interface Product {
  id: number
  erp_id: string
  name: string
  brand: string | null
  article: string | null
  description: string | null
  slug: string
  is_active: boolean
  sort: number
  deleted_at: string | null
  categories: { id: number; erp_id: string; name: string }[]
  attributes: { name: string; type: string; value: string }[]
  media: Media[]
  created_at: string
  updated_at: string
}

export interface Supply {
  id: number
  product_id: number
  pick_up_point_id: number
  storage_id: number
  purchase_price: number | null
  selling_price: number | null
  old_price: number | null
  quantity: number
  reserved: number
  shipped: number
  supply_date: string
  delivery_days: number
}

export interface UpsertResult {
  processed: number
  created: number
  updated: number
  errors: { id_erp: string; message: string }[]
}

export interface StockResult {
  processed: number
  updated: number
  errors: { product_id_erp: string; message: string }[]
}

export interface Deactivation {
  requested: number
  deactivated: number
  not_found: string[]
}

/**
 * The running product with the integration switched on, a storage, a pick-up point and a token: what every spec starts
 * from.
 */
export interface Shop {
  product: RunningProduct
  /** under `/api/erp`, with the token */
  erp: ApiClient
  /** Another one, with connections of its own; closed with the shop. */
  openErp(): ApiClient
  /** under `/api/admin`, with the administrator's token */
  admin: ApiClient
  /** the bare base URL, with nothing */
  outside: ApiClient
  erpToken: string
  storageId: number
  pointId: number
  /** PATCHes settings and expects 200. */
  set(settings: Record<string, unknown>): Promise<void>
  productOf(erpId: string): Promise<Product>
  categoryOf(erpId: string): Promise<Category>
  suppliesOf(erpId: string): Promise<Supply[]>
  stop(): Promise<void>
}

/** The checkout the specs belong to. */
export const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** `E2E_STATE_DIR` is a folder that is not deleted, to read the logs of a failed run. */
export async function openShop(
  options: Partial<ProductOptions> & { settings?: Record<string, unknown> } = {},
): Promise<Shop> {
  const { settings, ...rest } = options
  const product = await startProduct({
    root: ROOT,
    ...(process.env.E2E_STATE_DIR && { stateDir: process.env.E2E_STATE_DIR }),
    ...rest,
  })
  try {
    return await configure(product, settings ?? {})
  } catch (error) {
    await product.stop()
    throw error
  }
}

/** Creates a storage and a pick-up point, switches the ERP integration on and issues its token. */
export async function configure(product: RunningProduct, settings: Record<string, unknown>): Promise<Shop> {
  const outside = new ApiClient(product.url)
  const admin = new ApiClient(`${product.url}/api/admin`, { authorization: `Bearer ${product.adminToken}` })
  const storage = expectStatus(await admin.post<{ id: number }>('/storages', { name: 'Main storage' }), 201)
  const point = expectStatus(
    await admin.post<{ id: number }>('/pick-up-points', { name: 'Main point', storage_ids: [storage.body.id] }),
    201,
  )
  const set = async (patch: Record<string, unknown>) => {
    expectStatus(await admin.patch('/settings', patch), 200)
  }
  await set({ erp_enabled: true, erp_storage_id: storage.body.id, erp_pick_up_point_id: point.body.id, ...settings })
  const token = expectStatus(await admin.post<{ token: string }>('/settings/erp-token'), 200)
  const erpToken = token.body.token
  const clients = [outside, admin]
  const openErp = () => {
    const client = new ApiClient(`${product.url}/api/erp`, { authorization: `Bearer ${erpToken}` })
    clients.push(client)
    return client
  }
  return {
    product,
    erp: openErp(),
    openErp,
    admin,
    outside,
    erpToken,
    storageId: storage.body.id,
    pointId: point.body.id,
    set,
    productOf: async (erpId) =>
      expectStatus(await admin.get<Product>(`/products/by-erp-id/${encodeURIComponent(erpId)}`), 200).body,
    categoryOf: async (erpId) =>
      expectStatus(await admin.get<Category>(`/categories/by-erp-id/${encodeURIComponent(erpId)}`), 200).body,
    suppliesOf: async (erpId) =>
      expectStatus(await admin.get<Page<Supply>>(`/supplies?product_erp_id=${encodeURIComponent(erpId)}`), 200).body
        .data,
    stop: async () => {
      for (const client of clients) client.close()
      await product.stop()
    },
  }
}

/** @returns the response if it has the status @throws an error with the response */
export function expectStatus<Body>(answer: ApiResponse<Body>, status: number): ApiResponse<Body> {
  if (answer.status !== status)
    throw new Error(`${answer.status} where ${status} was expected: ${answer.text.slice(0, 2_000)}`)
  return answer
}

/** Every page of a list of the admin API. */
export async function readAll<Row>(admin: ApiClient, path: string): Promise<Row[]> {
  const rows: Row[] = []
  const mark = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page++) {
    const { body } = expectStatus(await admin.get<Page<Row>>(`${path}${mark}page=${page}&per_page=500`), 200)
    rows.push(...body.data)
    if (rows.length >= body.total || body.data.length === 0) return rows
  }
}

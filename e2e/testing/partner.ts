import { expect } from '@jest/globals'
import { type ApiResponse, ApiClient } from './api-client.js'
import { expectStatus, type Shop } from './shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type FakeSupplier, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { field, file, FORM_TYPE, formBody, type FormPart } from '@partsbus/test-kit/form'

export interface ImportTask {
  id: number
  price_list_id: number
  status: 'pending' | 'processing' | 'completed' | 'failed'
  status_label: string
  source_type: string
  total_rows: number
  processed_rows: number
  imported_rows: number
  skipped_rows: number
  error_message: string | null
  started_at: string | null
  completed_at: string | null
}

export interface Part {
  brand: string
  article: string
  name: string
  quantity: number
  price?: number
  delivery_days?: number
  storage_id: number
  storage_name: string
}

export interface BrandEntry {
  brand: string
  article: string
  name: string
  storages: { storage_id: number; storage_name: string }[]
}

/** All fields of partner API bodies; the specs check which are present. */
export interface PartnerBody {
  result: boolean
  message: string
  errors?: Record<string, string[]>
  brands?: BrandEntry[]
  parts?: Part[]
  task?: ImportTask
  task_id?: number
  pick_up_points?: unknown[]
}

export const INVALID = 'The given data was invalid.'

/** A 422 of the partner API. */
export const violations = (errors: object) => [422, { result: false, message: INVALID, errors }]
export const refusal = (status: number, message: string) => [status, { result: false, message }]
export const said = ({ status, body }: ApiResponse) => [status, body]

/** The running product with the partner API switched on, seen by an administrator and a partner. */
export interface Partner {
  shop: Shop
  /** under `/api/b2b`, with the current token */
  b2b: ApiClient
  token: string
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<PartnerBody>>
  /** Issues a token, which invalidates the old one. */
  reissue(): Promise<void>
  upload(parts: readonly FormPart[] | Buffer, headers?: Record<string, string>): Promise<ApiResponse<PartnerBody>>
  /** Uploads a valid file and waits for the end of its import; at each reading the counters must agree. */
  bringIn(listId: number, text: string | Buffer, name?: string): Promise<ImportTask>
  finish(taskId: number): Promise<ImportTask>
  newStorage(supplier: object, name?: string): Promise<number>
  /** A storage with an HTTP supplier, by default without cache. */
  newRemote(name: string, more?: object): Promise<{ id: number; supplier: FakeSupplier }>
  newList(more?: object): Promise<{ id: number; storage: number }>
  /** Sets the storages for queries without pick-up points. */
  ask(...storages: number[]): Promise<void>
  stop(): Promise<void>
}

/** @param shop with the partner API enabled; `stop` of the result stops it */
export async function openPartner(shop: Shop): Promise<Partner> {
  const suppliers: FakeSupplier[] = []
  const make = async (path: string, body: object) =>
    expectStatus(await shop.admin.post<{ id: number }>(path, body), 201).body.id
  const clientWith = (token: string) =>
    new ApiClient(`${shop.product.url}/api/b2b`, { authorization: `Bearer ${token}` })
  const partner: Partner = {
    shop,
    token: '',
    b2b: clientWith('none'),
    post: (path, body, headers) => partner.b2b.send('POST', path, { body, ...(headers && { headers }) }),
    reissue: async () => {
      partner.token = expectStatus(await shop.admin.post<{ token: string }>('/settings/b2b-token'), 200).body.token
      partner.b2b.close()
      partner.b2b = clientWith(partner.token)
    },
    upload: (parts, headers = {}) =>
      partner.b2b.send('POST', '/upload-price-list', {
        body: Buffer.isBuffer(parts) ? parts : formBody(parts),
        headers: { 'content-type': FORM_TYPE, ...headers },
      }),
    bringIn: async (listId, text, name) => {
      const { body } = expectStatus(await partner.upload([field('id', listId), file(text, name)]), 200)
      return partner.finish(body.task_id ?? 0)
    },
    finish: (taskId) =>
      waitFor(
        async () => {
          const task = expectStatus(await partner.post('/get-price-list-status', { task_id: taskId }), 200).body
            .task as ImportTask
          expect(task.imported_rows + task.skipped_rows).toBe(task.processed_rows)
          expect(task.processed_rows).toBeLessThanOrEqual(task.total_rows)
          return task
        },
        ({ status }) => status === 'completed' || status === 'failed',
        60_000,
      ),
    newStorage: (supplier, name = 'Storage') => make('/storages', { name, supplier }),
    newRemote: async (name, more = {}) => {
      const supplier = await startFakeSupplier()
      suppliers.push(supplier)
      const id = await make('/storages', {
        name,
        supplier: {
          kind: 'http',
          base_url: supplier.url,
          cache_seconds: 0,
          timeout_ms: 3_000,
          dialect: 'standard',
          ...more,
        },
      })
      return { id, supplier }
    },
    newList: async (more = {}) => {
      const storage = await partner.newStorage({ kind: 'price-list' }, 'Price list')
      return { id: await make('/price-lists', { name: 'List', storage_id: storage, ...more }), storage }
    },
    ask: (...storages) => shop.set({ storages_for_crosses: storages }),
    stop: async () => {
      partner.b2b.close()
      for (const supplier of suppliers) await supplier.close()
      await shop.stop()
    },
  }
  await partner.reissue()
  return partner
}

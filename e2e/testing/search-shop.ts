import type { ApiClient, ApiResponse } from './api-client.js'
import { type FakeSupplier, sendJson, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import {
  ended,
  openPartnerShop,
  type PartnerList,
  type PartnerShop,
  type Parts,
  scheduled,
  upload,
} from './partner-shop.js'
import { expectStatus } from './shop.js'

const LIST = 'brand;article;name;quantity;price\nFAKE;A-1;From a list;3;7\n'

export type PartnerRequest = (client: ApiClient, into?: PartnerList) => Promise<ApiResponse<Parts>>

/** A shop whose pick-up point searches own stock, a price list and an HTTP supplier, each with one offer of A1. */
export interface SearchShop extends PartnerShop {
  question: { article: string; brands: string[]; pick_up_points: number[] }
  /** one request of each endpoint of the partner API, by its name */
  requests: Record<string, PartnerRequest>
  /** the header `x-suppliers` with these outcomes */
  outcomes(own: string, list: string, remote: string): string
}

export async function openSearchShop(options: Parameters<typeof openPartnerShop>[0] = {}): Promise<SearchShop> {
  const supplier = await startFakeSupplier()
  supplier.respond(({ body }, response) => {
    const { article } = body as { article: string }
    sendJson(response, [{ brand: 'FAKE', article, name: 'From outside', quantity: 1, price: 5 }])
  })
  const shop = await openPartnerShop({
    ...options,
    env: { SUPPLIER_ALLOWED_HOSTS: '127.0.0.1', ...options.env },
  })
  try {
    return await fill(shop, supplier)
  } catch (error) {
    await shop.stop()
    await supplier.close()
    throw error
  }
}

async function fill(shop: PartnerShop, supplier: FakeSupplier): Promise<SearchShop> {
  const create = async (path: string, body: object) =>
    expectStatus(await shop.admin.post<{ id: number }>(path, body), 201).body.id
  const list = await shop.newList('Listed')
  const remote = await create('/storages', {
    name: 'Remote',
    supplier: {
      kind: 'http',
      base_url: supplier.url,
      dialect: 'standard',
      headers: {},
      timeout_ms: 4_000,
      cache_seconds: 0,
    },
  })
  const storages = [shop.storageId, list.storageId, remote] as const
  const point = await create('/pick-up-points', { name: 'All', storage_ids: storages })
  expectStatus(
    await shop.erp.post('/products/batch-upsert', [{ id_erp: 'own', name: 'Our own', brand: 'FAKE', article: 'A 1' }]),
    200,
  )
  expectStatus(await shop.erp.post('/stocks/batch-update', [{ product_id_erp: 'own', quantity: 2 }]), 200)
  const task = await scheduled(shop, list, LIST)
  await ended(shop, [task], 30_000)
  const question = { article: 'a1', brands: ['FAKE'], pick_up_points: [point] }
  return {
    ...shop,
    question,
    requests: {
      'get-brands': (client) => client.post('/get-brands', { article: 'a1', pick_up_points: [point] }),
      'get-parts': (client) => client.post('/get-parts', question),
      'get-pick-up-points': (client) => client.post('/get-pick-up-points'),
      'get-price-list-status': (client) => client.post('/get-price-list-status', { task_id: task }),
      'upload-price-list': (client, into = list) =>
        upload(client, into.id, LIST) as unknown as Promise<ApiResponse<Parts>>,
    },
    outcomes: (...words) => storages.map((id, index) => `${id}=${words[index]}`).join(','),
    stop: async () => {
      await shop.stop()
      await supplier.close()
    },
  }
}

import { beforeAll, describe, expect, it } from '@jest/globals'
import { createAdminClient } from '@partsbus/client/admin-client'
import { createErpClient } from '@partsbus/client/erp-client'
import { createPartnerClient } from '@partsbus/client/partner-client'
import type { AdminImportTask } from '@partsbus/contracts/pricing-import/import-task'
import { usePartner } from '../testing/contract-product.js'

/** The client against the product: types, paths and schemas agree with what is answered. */
const open = usePartner()

const admin = () => {
  const { url, adminToken } = open().shop.product
  return createAdminClient({ baseUrl: url, token: adminToken, validate: true })
}

describe('the admin API', () => {
  let storageId: number
  beforeAll(async () => {
    storageId = (await admin()('POST /storages', { body: { name: 'Client', supplier: { kind: 'price-list' } } })).id
  })

  it('creates, changes, lists and deletes a resource', async () => {
    const { id } = await admin()('POST /brand-synonyms', { body: { canonical: 'CLIENT BRAND', synonyms: ['CLB'] } })
    expect(await admin()('PATCH /brand-synonyms/:id', { params: { id }, body: { synonyms: [] } })).toEqual({
      id,
      canonical: 'CLIENT BRAND',
      synonyms: [],
    })
    const { data } = await admin()('GET /brand-synonyms', { query: { per_page: 500 } })
    expect(data.map((group) => group.id)).toContain(id)
    expect(await admin()('DELETE /brand-synonyms/:id', { params: { id } })).toBeUndefined()
    await expect(admin()('GET /brand-synonyms/:id', { params: { id } })).rejects.toMatchObject({
      status: 404,
      message: 'Not found.',
      requestId: expect.stringMatching(/./),
    })
  })

  it('previews, uploads and follows a price list, and downloads what was skipped', async () => {
    const { id } = await admin()('POST /price-lists', { body: { name: 'Client', storage_id: storageId } })
    const file = new Blob(['Brand;Article;Name;Quantity;Price\nMAHLE;CL 1;Filter;4;10,50\nMAHLE;;Nothing;1;1\n'])
    const form = { params: { id }, file, fileName: 'client.csv' }
    expect((await admin().upload('POST /price-lists/:id/preview', form)).totals).toEqual({
      rows: 2,
      importable: 1,
      skipped: 1,
    })
    const { task_id } = await admin().upload('POST /price-lists/:id/upload', form)
    const last = await new Promise<AdminImportTask>((resolve, reject) => {
      admin().follow(
        task_id,
        (task) => {
          if (task.completed_at !== null) resolve(task)
        },
        { onError: reject },
      )
    })
    expect(last).toMatchObject({ status: 'completed', imported_rows: 1, skipped_rows: 1 })
    const csv = await admin()('GET /import-tasks/:id/skipped.csv', { params: { id: task_id } })
    expect(await csv.text()).toContain('Nothing')
    const lines = await admin()('GET /import-tasks/:id/events', { params: { id: task_id } })
    expect(await lines.text()).toContain('"status":"completed"')
  })

  it('names the invalid fields', async () => {
    await expect(admin()('PATCH /settings', { body: { erp_max_batch_items: 0 } })).rejects.toMatchObject({
      status: 422,
      errors: { erp_max_batch_items: ['The erp_max_batch_items must be at least 1.'] },
    })
  })

  it('answers 401 without a token', async () => {
    const client = createAdminClient({ baseUrl: open().shop.product.url })
    await expect(client('GET /settings')).rejects.toMatchObject({ status: 401, message: 'Unauthenticated.' })
  })
})

it('the ERP pushes a batch', async () => {
  const { product, erpToken } = open().shop
  const erp = createErpClient({ baseUrl: product.url, token: erpToken, validate: true })
  expect(await erp('GET /ping')).toEqual({ status: 'ok' })
  const body = [{ id_erp: 'CLIENT-1', name: 'Filter', brand: 'MAHLE', article: 'CL 2' }]
  expect(await erp('POST /products/batch-upsert', { body })).toMatchObject({ processed: 1, created: 1 })
  expect(await admin()('GET /products/by-erp-id/*', { params: { erp_id: 'CLIENT-1' } })).toMatchObject({
    erp_id: 'CLIENT-1',
    article: 'CL 2',
  })
})

it('the ERP loads everything in a full sync (erp.md#full-sync)', async () => {
  const { product, erpToken } = open().shop
  const erp = createErpClient({ baseUrl: product.url, token: erpToken, validate: true })
  await erp('POST /products/batch-upsert', { body: [{ id_erp: 'CLIENT-2', name: 'Not sent in the sync' }] })
  const { id } = await erp('POST /full-sync')
  await expect(erp('POST /full-sync')).rejects.toMatchObject({ status: 409, body: { full_sync: { id } } })
  const body = [{ id_erp: 'CLIENT-1', name: 'Filter', brand: 'MAHLE', article: 'CL 2' }]
  const options = { fullSync: id, resultDetails: true, updateMode: 'merge', requestId: 'client-sync' } as const
  expect(await erp('POST /products/batch-upsert', { body, ...options })).toMatchObject({ details: { unchanged: 1 } })
  expect((await erp('GET /full-sync/:id', { params: { id } })).status).toBe('open')
  const completion = { params: { id }, body: { max_deactivated_percent: 0 } }
  await expect(erp('POST /full-sync/:id/complete', completion)).rejects.toMatchObject({ status: 409 })
  expect((await erp('POST /full-sync/:id/cancel', { params: { id } })).status).toBe('cancelled')
  expect((await erp('GET /batches')).batches.map(({ request_id }) => request_id)).toContain('client-sync')
})

it('a partner searches and uploads', async () => {
  const { shop, token } = open()
  const partner = createPartnerClient({ baseUrl: shop.product.url, token, validate: true })
  expect((await partner('POST /get-pick-up-points')).result).toBe(true)
  const search = await partner('POST /get-parts', { body: { article: 'CL 1', brands: ['MAHLE'], pick_up_points: [] } })
  expect(search.parts).toEqual([])
  const { id } = await open().newList()
  const file = new File(['Brand;Article;Name;Quantity;Price\nMAHLE;CL 3;Filter;4;10\n'], 'client.csv')
  const { task_id } = await partner.uploadPriceList({ priceListId: id, file })
  expect((await partner('POST /get-price-list-status', { body: { task_id } })).task.id).toBe(task_id)
  await open().finish(task_id)
})

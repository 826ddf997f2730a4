import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { deactivateProducts } from '@partsbus/contracts/catalog/commands'
import { getCatalogOverview } from '@partsbus/contracts/catalog/overview'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type CatalogUnderTest, startCatalogUnderTest } from '../testing/catalog-under-test.js'
import { CatalogCounts } from './catalog-counts.js'

let catalog: CatalogUnderTest
beforeAll(async () => {
  catalog = await startCatalogUnderTest()
})
afterAll(() => catalog?.stop())

/** Makes the counts old, so that the next request counts again in the background. */
const age = (): void => void Object.assign(catalog.get(CatalogCounts), { countedAt: -Infinity })

it('counts the catalog, and answers at once while it counts again (admin.md#overview)', async () => {
  expect(await catalog.ask(getCatalogOverview, {})).toEqual({
    products: 0,
    deleted: 0,
    categories: 0,
    pictures_pending: 0,
    pictures_failed: 0,
    pictures_failed_since: null,
    last_batch_at: null,
  })
  const before = Date.now()
  await catalog.categories([{ id_erp: 'c1', name: 'Doors' }])
  const images = [{ url: 'http://127.0.0.1:1/a.png' }]
  await catalog.products(
    [
      { id_erp: 'p1', name: 'One' },
      { id_erp: 'p2', name: 'Two' },
      { id_erp: 'p3', name: 'Three', images },
    ],
    { media_allowed_hosts: ['127.0.0.1'] },
  )
  await catalog.send(deactivateProducts, { ids_erp: ['p1'] })
  expect((await catalog.ask(getCatalogOverview, {})).products).toBe(0)
  age()
  const counted = await waitFor(
    () => catalog.ask(getCatalogOverview, {}),
    ({ products }) => products === 2,
  )
  expect(counted).toMatchObject({ deleted: 1, categories: 1 })
  expect(counted.pictures_pending + counted.pictures_failed).toBe(1)
  expect(Date.parse(counted.last_batch_at ?? '')).toBeGreaterThanOrEqual(before)
})

it('names the time since which an image has been failing', async () => {
  const at = new Date('2026-11-01T00:00:00.000Z')
  const set = (id: number, status: string, updated_at: Date) => ({
    _id: `product:x${id}`,
    item: 'product',
    erp_id: `x${id}`,
    undone: true,
    images: [{ id, url: 'http://x/', status, attempts: 6, last_error: null, media_id: null }],
    due_at: new Date('9999-12-31'),
    updated_at,
  })
  await catalog.db
    .collection<{ _id: string }>('media_sets')
    .insertMany([set(9_001, 'failed', at), set(9_002, 'pending', new Date('2026-10-01'))])
  age()
  await catalog.ask(getCatalogOverview, {})
  await waitFor(
    () => catalog.ask(getCatalogOverview, {}),
    ({ pictures_failed_since }) => pictures_failed_since === at.toISOString(),
  )
})

it('keeps the time of the last batch for the next process', async () => {
  await catalog.service.stop()
  const next = await catalog.startReplica()
  expect((await catalog.ask(getCatalogOverview, {})).last_batch_at).not.toBeNull()
  await next.stop()
})

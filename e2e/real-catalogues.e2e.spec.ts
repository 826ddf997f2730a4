import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { isDeepStrictEqual } from 'node:util'
import { CatalogModel, categoryFacts, toFacts } from './testing/catalog-model.js'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { waitFor } from '@partsbus/test-kit/wait-for'
import {
  type CategoryItem,
  doors,
  googleTaxonomy,
  inBatches,
  magentoPicture,
  magentoShop,
  type ProductItem,
  sunriseStock,
  whyNoData,
} from './testing/real-data.js'
import {
  type Category,
  expectStatus,
  openShop,
  type Product,
  readAll,
  type Shop,
  type StockResult,
  type Supply,
  type UpsertResult,
} from './testing/shop.js'
import { countStoredPictures } from './testing/stored-images.js'

jest.setTimeout(300_000)

const noData = whyNoData()
if (noData !== undefined) console.warn(`Real catalogues are skipped: ${noData}`)

const BATCH = 1_000
const GENERATED_SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/
const lines = (errors: UpsertResult['errors']) => errors.map((error) => `${error.id_erp}: ${error.message}`)
const isAboutImage = (line: string) => line.includes(': Image could not be downloaded: ')

/** Real data sets, pushed as by an ERP, read back and compared with the rules field by field. */
;(noData === undefined ? describe : describe.skip)('real catalogues', () => {
  let shop: Shop
  let host: ImageHost
  const model = new CatalogModel()

  beforeAll(async () => {
    host = await startImageHost((request, response) => {
      const picture = magentoPicture(decodeURIComponent(request.url ?? ''))
      if (picture === undefined) response.writeHead(404).end()
      else
        response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': picture.size }).end(picture.bytes())
    })
    shop = await openShop({ settings: { media_allowed_hosts: ['127.0.0.1'], media_wait_ms: 30_000 } })
  }, 300_000)
  afterAll(async () => {
    await shop?.stop()
    await host?.close()
  })

  const pushCategories = async (items: CategoryItem[]) => {
    for (const batch of inBatches(items, BATCH)) {
      const expected = model.upsertCategories(batch)
      const { body } = expectStatus(
        await shop.erp.post<UpsertResult>('/categories/batch-upsert', { categories: batch }),
        200,
      )
      expect({ ...body, errors: lines(body.errors).toSorted() }).toEqual({
        processed: batch.length,
        created: expected.created,
        updated: batch.length - expected.created,
        errors: expected.errors.toSorted(),
      })
    }
  }
  /** Returns the entries about images, which depend on the images fetched in time. */
  const pushProducts = async (items: ProductItem[]): Promise<string[]> => {
    const aboutImages: string[] = []
    for (const batch of inBatches(items, BATCH)) {
      const expected = model.upsertProducts(batch)
      const { body } = expectStatus(await shop.erp.post<UpsertResult>('/products/batch-upsert', batch), 200)
      const errors = lines(body.errors)
      aboutImages.push(...errors.filter(isAboutImage))
      expect({ ...body, errors: errors.filter((line) => !isAboutImage(line)).toSorted() }).toEqual({
        processed: batch.length,
        created: expected.created,
        updated: batch.length - expected.created,
        errors: expected.errors.toSorted(),
      })
    }
    return aboutImages
  }
  const readCategories = () => readAll<Category>(shop.admin, '/categories')
  const readProducts = () => readAll<Product>(shop.admin, '/products')
  const compareCategories = async () => {
    const stored = await readCategories()
    const byId = (a: { erp_id: string }, b: { erp_id: string }) => (a.erp_id < b.erp_id ? -1 : 1)
    expect(categoryFacts(stored).toSorted(byId)).toEqual([...model.categories.values()].toSorted(byId))
    expect(new Set(stored.map((one) => one.slug)).size).toBe(stored.length)
    expect(stored.filter(({ slug }) => !GENERATED_SLUG.test(slug))).toEqual([])
    return stored
  }
  const compareProducts = async () => {
    const stored = await readProducts()
    expect(stored.length).toBe(model.products.size)
    expect(new Set(stored.map((one) => one.slug)).size).toBe(stored.length)
    // Whole lists are compared, because 30,000 expectations would block this process for seconds.
    const withSlug = (product: Product) => {
      const expected = model.products.get(product.erp_id)
      return {
        ...expected,
        slug: expected?.slug === '' && GENERATED_SLUG.test(product.slug) ? product.slug : expected?.slug,
      }
    }
    const wrong = stored
      .map((product) => ({ stored: toFacts(product), expected: withSlug(product) }))
      .filter((pair) => !isDeepStrictEqual(pair.stored, pair.expected))
    expect(wrong).toEqual([])
    return stored
  }

  describe("Google's taxonomy", () => {
    let before: Category[]
    it('creates 5,582 categories under their parents when parents come first', async () => {
      const items = googleTaxonomy('g-')
      expect(items).toHaveLength(5_582)
      await pushCategories(items)
      await compareCategories()
    })

    it('reports missing parents and ends with the same tree when children come first', async () => {
      await pushCategories(googleTaxonomy('r-').toReversed())
      await waitFor(
        async () => (await readCategories()).filter((one) => one.parent_id === null).length,
        (roots) => roots === 42,
        60_000,
        500,
      )
      before = await compareCategories()
    })

    it('sent again: all updated, nothing changed', async () => {
      await pushCategories(googleTaxonomy('g-'))
      expect(await readCategories()).toEqual(before)
    })
  })

  describe("Magento's sample shop", () => {
    let before: Product[]
    let shopItems: ReturnType<typeof magentoShop>
    let missing: Set<string>
    const comparePictures = (stored: Product[]) => {
      const byErpId = new Map(stored.map((product) => [product.erp_id, product]))
      for (const { id_erp, images } of shopItems.products) {
        if (images === undefined) continue
        const there = images.flatMap((image) => {
          const picture = magentoPicture(new URL(image.url).pathname)
          return picture === undefined
            ? []
            : [
                {
                  file_name: picture.name,
                  size: picture.size,
                  custom_properties: { sort_order: image.sort_order, is_main: image.is_main },
                },
              ]
        })
        expect([
          id_erp,
          byErpId
            .get(id_erp)
            ?.media.map(({ file_name, size, custom_properties }) => ({ file_name, size, custom_properties })),
        ]).toEqual([id_erp, there])
      }
    }

    it('creates 1,994 products with attributes, HTML, repeated url_keys, several categories and images', async () => {
      shopItems = magentoShop(host.url)
      missing = new Set(
        shopItems.products
          .flatMap((item) => (item.images ?? []).map((image) => image.url))
          .filter((url) => magentoPicture(new URL(url).pathname) === undefined),
      )
      await pushCategories(shopItems.categories)
      const entries = await pushProducts(shopItems.products)
      for (const entry of entries) expect(missing).toContain(entry.split('downloaded: ')[1])
      expect(entries.length).toBeGreaterThan(1_000)
      before = await compareProducts()
      expect(before.filter((product) => model.products.has(product.erp_id))).toHaveLength(1_994)
      comparePictures(before)
      await compareCategories()
    })

    it('serves an image byte for byte', async () => {
      const media = before.flatMap((product) => product.media)[0]
      const source = shopItems.products
        .flatMap((item) => item.images ?? [])
        .map((image) => magentoPicture(new URL(image.url).pathname))
        .find((picture) => picture?.name === media?.file_name)
      const answer = await shop.outside.get(new URL(media?.url ?? '').pathname)
      expect(answer.bytes.equals(source?.bytes() ?? Buffer.alloc(0))).toBe(true)
      expect(media).toMatchObject({ mime_type: 'image/jpeg', width: expect.any(Number), height: expect.any(Number) })
    })

    it('counts repeated items as updated, changes nothing, and stores no image again', async () => {
      const stored = await countStoredPictures(shop.product)
      expect(stored.pictures).toBeGreaterThan(0)
      await pushProducts(shopItems.products)
      expect(await readProducts()).toEqual(before)
      expect(await countStoredPictures(shop.product)).toEqual(stored)
    })
  })

  describe('the 1C export of doors', () => {
    let before: Product[]
    it('creates 3,371 Cyrillic products; 2,079 unreachable photos become entries or jobs, not failures', async () => {
      await shop.set({ media_wait_ms: 200 })
      const { categories, products } = doors()
      expect(products).toHaveLength(3_371)
      const photos = products.flatMap((item) => (item.images ?? []).map((image) => image.url))
      expect([photos.length, new Set(photos).size]).toEqual([2_806, 2_079])
      await pushCategories(categories)
      for (const entry of await pushProducts(products)) expect(photos).toContain(entry.split('downloaded: ')[1])
      before = await compareProducts()
      expect(before.filter((product) => product.brand === 'PROFILDOORS' && product.media.length === 0)).toHaveLength(
        3_371,
      )
      const jobs = await readAll<{ erp_id: string; url: string; status: string }>(shop.admin, '/media-jobs')
      const waiting = jobs.filter((job) => job.url.includes('.invalid/'))
      expect(waiting.map((job) => job.url).toSorted()).toEqual(photos.toSorted())
      for (const job of waiting) expect(['pending', 'failed']).toContain(job.status)
    })

    it('sent again: all updated, nothing changed', async () => {
      const { products } = doors()
      await pushProducts(products)
      expect(await readProducts()).toEqual(before)
    })
  })

  describe('the stock of sunrise', () => {
    const rows = noData === undefined ? sunriseStock() : []
    const push = async (expected: { updated: number }) => {
      let updated = 0
      for (const batch of inBatches(rows, BATCH)) {
        const { body } = expectStatus(
          await shop.erp.post<StockResult>(
            '/stocks/batch-update',
            batch.map(({ sku, quantity }) => ({ product_id_erp: sku, quantity })),
          ),
          200,
        )
        expect([body.processed, body.errors]).toEqual([batch.length, []])
        updated += body.updated
      }
      expect(updated).toBe(expected.updated)
    }
    let before: Supply[]
    const readSupplies = async () => (await readAll<Supply>(shop.admin, '/supplies')).toSorted((a, b) => a.id - b.id)

    it('stores 26,137 rows with their quantities', async () => {
      expect(rows).toHaveLength(26_137)
      await pushProducts(rows.map(({ sku }) => ({ id_erp: sku, name: `Sunrise ${sku}` })))
      await push({ updated: 26_137 })
      before = await readSupplies()
      const erpIds = new Map((await readProducts()).map((product) => [product.id, product.erp_id]))
      expect(before).toHaveLength(26_137)
      const quantities = new Map(before.map((supply) => [erpIds.get(supply.product_id), supply.quantity]))
      expect(rows.filter(({ sku, quantity }) => quantities.get(sku) !== quantity)).toEqual([])
      const isUntouched = (supply: Supply) =>
        supply.reserved === 0 && supply.shipped === 0 && supply.selling_price === null && supply.delivery_days === 0
      expect(
        before.filter(
          (supply) =>
            !isUntouched(supply) || supply.storage_id !== shop.storageId || supply.pick_up_point_id !== shop.pointId,
        ),
      ).toEqual([])
    })

    it('sent again: all updated, nothing changed', async () => {
      await push({ updated: 26_137 })
      expect(await readSupplies()).toEqual(before)
    })
  })
})

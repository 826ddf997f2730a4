import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { previewUpload } from '@partsbus/contracts/pricing-import/commands'
import { listBrandSynonyms } from '@partsbus/contracts/supplier-search/commands'
import type { KnownBrand } from '../rows/known-brands.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

const FILE = 'Артикул;Название;Остаток\nA1;Шина nokian Hakka;4\nA2;Камера 12.4-16;5\n'
const FORMAT = { known_brands: true }

let pricing: PricingUnderTest
let groups: KnownBrand[] = []
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

/** A search that knows the groups, a page at a time. */
function answerGroups(): void {
  pricing.connection.nc.subscribe(listBrandSynonyms.subject, {
    callback: (_error, message) => {
      const { page, per_page, after_id = 0 } = message.json<{ page: number; per_page: number; after_id?: number }>()
      // a page that ends early
      const data = groups.map((group, at) => ({ id: at + 1, ...group })).slice(after_id, after_id + per_page - 7)
      message.respond(JSON.stringify({ data, total: groups.length, page, per_page }))
    },
  })
}

describe('a list whose brands are known ones (admin.md#known-brands)', () => {
  it('is not previewed while the search does not answer, and its import waits', async () => {
    const { id } = await pricing.newList({ format: FORMAT })
    const upload = pricing.ask(previewUpload, { price_list_id: id, ...(await pricing.put(FILE)) })
    await expect(upload).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const task = await pricing.upload(id, FILE)
    await pricing.until(async () => ((await pricing.task(task)).status === 'processing' ? true : undefined))
    groups = [
      ...Array.from({ length: 600 }, (_, at) => ({ canonical: `OTHER ${at}`, synonyms: [] })),
      { canonical: 'NOKIAN TYRES', synonyms: ['Nokian'] },
    ]
    answerGroups()
    expect(await pricing.finish(task)).toMatchObject({
      status: 'completed',
      imported_rows: 1,
      skipped_by_code: { NO_BRAND: 1 },
    })
    expect(await pricing.offers('A1')).toMatchObject([{ brand: 'NOKIAN TYRES' }])
  })

  it('is previewed as it is imported', async () => {
    const { id } = await pricing.newList()
    const seen = await pricing.ask(previewUpload, {
      price_list_id: id,
      ...(await pricing.put(FILE)),
      draft: { format: FORMAT },
    })
    expect(seen).toMatchObject({ rows: [{ brand: 'NOKIAN TYRES', article: 'A1' }], skipped_by_code: { NO_BRAND: 1 } })
  })

  it('is imported by the groups of its first attempt', async () => {
    const { id } = await pricing.newList({ format: FORMAT })
    const { id: task } = await pricing.import(id, FILE)
    const stored = await pricing.db.collection<{ _id: number }>('import_tasks').findOne({ _id: task })
    expect(stored).toMatchObject({ rules: { format: FORMAT, known_brands: groups } })
  })

  it('has them in the task that is claimed, and not in those that are shown', async () => {
    const { tasks } = pricing.stores
    const { id } = await pricing.newList({ format: FORMAT })
    await pricing.withListLocked(id, async () => {
      const task = await pricing.upload(id, FILE)
      await pricing.db
        .collection<{ _id: number }>('import_tasks')
        .updateOne({ _id: task }, { $set: { 'rules.known_brands': groups } })
      const found = await tasks.find(task)
      const shown = [
        found,
        (await tasks.list({ page: 1, per_page: 1, price_list_id: id })).data[0],
        (await tasks.findNewest(1))[0],
        (await tasks.newestOf([id])).get(id),
      ]
      const claimed = await tasks.claim(task)
      const cancelled = found && (await tasks.cancel(found, { code: 'CANCELLED', message: 'x' }))
      for (const each of [...shown, cancelled]) {
        expect(each).toMatchObject({ id: task, rules: { format: FORMAT } })
        expect(each?.rules).not.toHaveProperty('known_brands')
      }
      expect(claimed).toMatchObject({ id: task, rules: { format: FORMAT, known_brands: groups } })
    })
  })
})

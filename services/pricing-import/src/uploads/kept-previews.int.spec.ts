import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { previewUpload } from '@partsbus/contracts/pricing-import/commands'
import type { Preview } from '@partsbus/contracts/pricing-import/preview'
import { priceText } from '../testing/price-text.js'
import { type PricingUnderTest, startPricing } from '../testing/pricing-under-test.js'

let pricing: PricingUnderTest
beforeAll(async () => {
  pricing = await startPricing()
})
afterAll(() => pricing?.stop())

it('of one administrator 20 previewed files are kept, the latest ones (rules.md#shared-resources)', async () => {
  const { id } = await pricing.newList()
  const preview = async (kept_for?: number): Promise<string> => {
    const upload = await pricing.put(priceText(2, 1))
    const sent = { price_list_id: id, ...upload, ...(kept_for !== undefined && { kept_for }) }
    return ((await pricing.ask(previewUpload, sent)) as Preview).preview_id
  }
  const others = [await preview(2), await preview()]
  const own: string[] = []
  for (let count = 0; count < 22; count += 1) own.push(await preview(1))
  const kept = await pricing.db.collection('files').distinct('key', { key: { $in: [...others, ...own] } })
  expect(kept.toSorted()).toEqual([...others, ...own.slice(2)].toSorted())
})

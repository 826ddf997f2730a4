import { describe, expect, it } from '@jest/globals'
import { upsertCategories, upsertProducts } from '@partsbus/contracts/catalog/commands'
import { updateStocks } from '@partsbus/contracts/stock/commands'
import { mayWaitForImages } from './forward.js'

describe('a batch may wait for images (rules.md#overload)', () => {
  it.each([
    ['products with images', upsertProducts, '[{"images" : []}]', true],
    ['products without images', upsertProducts, '[{"image_url":"x"}]', false],
    ['categories with an image', upsertCategories, '[{"image_url":"http://a/b.png"}]', true],
    ['categories without an image', upsertCategories, '[{"name":"images"}]', false],
    ['stock', updateStocks, '[{"images":[],"image_url":""}]', false],
  ])('%s', (_what, command, body, expected) => {
    expect(mayWaitForImages(command, Buffer.from(body))).toBe(expected)
  })
})

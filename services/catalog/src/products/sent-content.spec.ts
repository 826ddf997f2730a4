import { describe, expect, it } from '@jest/globals'
import { productItem, type ProductItem } from '@partsbus/contracts/catalog/product'
import { isStamped, SentContent } from './sent-content.js'

const item: ProductItem = { id_erp: 'p', name: 'Pump' }
const content = (sent: ProductItem | ProductItem[], mode: 'merge' | 'replace' = 'merge') =>
  new SentContent(new Map([['p', [sent].flat()]]), mode)
const sent = content(item).nextStamp('p', undefined)
const stored = { _id: 'p', id: 1, rev: 1, slug: 'pump', sent }

/** Another value for every field. */
const others: Required<ProductItem> = {
  id_erp: 'q',
  name: 'Pump 2',
  brand: 'B',
  article: 'A',
  category_id_erp: 'c',
  description_short: 's',
  description_full: 'f',
  slug: 's',
  sort_order: 1,
  is_active: false,
  attributes: [{ name: 'a', value: 'v', type: '' }],
  images: [{ url: 'https://example.com/a.png' }],
}

describe('a product that was stored with a stamp', () => {
  it('is repeated by the same items', () => {
    expect(content({ ...item }).isRepeated(stored)).toBe(true)
    expect(isStamped(stored)).toBe(true)
  })

  it.each(Object.keys(productItem.shape).filter((name) => name !== 'images'))('is not when %s differs', (name) => {
    expect(content({ ...item, [name]: others[name as keyof ProductItem] }).isRepeated(stored)).toBe(false)
  })

  it('is repeated with other images, which are compared elsewhere', () => {
    expect(content({ ...item, images: others.images }).isRepeated(stored)).toBe(true)
  })

  it.each(['category_id_erp', 'attributes'])('is not when %s is null and was absent', (name) => {
    expect(content({ ...item, [name]: null }).isRepeated(stored)).toBe(false)
  })

  it('is not when the items are more, or in another mode', () => {
    expect(content([item, item]).isRepeated(stored)).toBe(false)
    expect(content(item, 'replace').isRepeated(stored)).toBe(false)
  })

  it('is not after another write, except of its media', () => {
    const isRepeated = (changes: object) => content(item).isRepeated({ ...stored, ...changes })
    expect(isRepeated({ rev: 2 })).toBe(false)
    expect(isRepeated({ rev: 2, side_writes: 1 })).toBe(true)
    expect(isRepeated({ rev: 3, side_writes: 1 })).toBe(false)
    expect(isRepeated({ sent: undefined })).toBe(false)
  })

  it('is repeated after a write by the same items that came later than others', () => {
    const before = { ...stored, rev: 5, side_writes: 2 }
    const after = { ...before, rev: 6, sent: content(item).nextStamp('p', before) }
    expect([content(item).isRepeated(before), content(item).isRepeated(after)]).toEqual([false, true])
  })
})

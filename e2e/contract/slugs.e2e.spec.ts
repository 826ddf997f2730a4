import { describe, expect, it } from '@jest/globals'
import type { UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

type Kind = 'categories' | 'products'

const open = useShop()

const upsert = async (kind: Kind, items: Record<string, unknown>[]) => {
  const answer = await open().erp.post<UpsertResult>(`/${kind}/batch-upsert`, items)
  expect(answer.status).toBe(200)
  return answer.body
}
const slugOf = async (kind: Kind, id: string) =>
  (kind === 'products' ? await open().productOf(id) : await open().categoryOf(id)).slug
const taken = (slug: string, other: string) => `Slug "${slug}" is already taken; saved as "${other}".`

// erp.md#categories-3, erp.md#products-5
describe.each<Kind>(['categories', 'products'])('slugs of %s', (kind) => {
  const id = (name: string) => `slug-${kind}-${name}`

  it('are generated lower-case, transliterated and suffixed (rules.md#slug-generated)', async () => {
    const names = ['Zanussi Oven', 'Zanussi  oven!', 'zanussi oven']
    await upsert(
      kind,
      names.map((name, i) => ({ id_erp: id(`gen${i}`), name })),
    )
    expect(await Promise.all(names.map((_, i) => slugOf(kind, id(`gen${i}`))))).toEqual([
      'zanussi-oven',
      'zanussi-oven-2',
      'zanussi-oven-3',
    ])
    await upsert(kind, [{ id_erp: id('cyr'), name: 'Тормозной диск № 5' }])
    expect(await slugOf(kind, id('cyr'))).toMatch(/^tormozno[a-z]-disk-([a-z]*-)?5$/)
  })

  it('are generated for a name without letters and digits', async () => {
    await upsert(kind, [
      { id_erp: id('odd1'), name: '!!!' },
      { id_erp: id('odd2'), name: '😀' },
    ])
    const slugs = await Promise.all([slugOf(kind, id('odd1')), slugOf(kind, id('odd2'))])
    expect(new Set(slugs).size).toBe(2)
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]+$/)
  })

  it('stay when the name changes (rules.md#slug-kept)', async () => {
    await upsert(kind, [{ id_erp: id('stay'), name: 'Old name here' }])
    await upsert(kind, [{ id_erp: id('stay'), name: 'New name there' }])
    expect(await slugOf(kind, id('stay'))).toBe('old-name-here')
  })

  it('are at most 191 characters with their suffix', async () => {
    const name = 'щ'.repeat(191)
    await upsert(kind, [
      { id_erp: id('long1'), name },
      { id_erp: id('long2'), name },
    ])
    const [one, two] = await Promise.all([slugOf(kind, id('long1')), slugOf(kind, id('long2'))])
    expect([one.length <= 191, two.length <= 191, one === two]).toEqual([true, true, false])
    expect(two).toMatch(/-2$/)
  })

  it.each(['Plain-Slug_1.2~x', 'ящик-для-инструментов', '部品-7'])(
    'a sent slug %j is used as it is (rules.md#slug-sent)',
    async (slug) => {
      expect((await upsert(kind, [{ id_erp: id(slug), name: 'N', slug }])).errors).toEqual([])
      expect(await slugOf(kind, id(slug))).toBe(slug)
    },
  )

  it.each(['../../x', 'a b/%00', 'Tab\tInside', '<script>'])(
    'a sent slug %j is normalised, with an entry that says so (bad-inputs.md#input-22)',
    async (slug) => {
      const { errors, created } = await upsert(kind, [{ id_erp: id(slug), name: 'N', slug }])
      expect([created, errors.map((error) => error.id_erp)]).toEqual([1, [id(slug)]])
      expect(await slugOf(kind, id(slug))).toMatch(/^[a-z0-9-]+$/)
    },
  )

  // rules.md#slug-taken, bad-inputs.md#input-21
  it('taken by another item get a suffix and an entry; the item may send its own slug again', async () => {
    await upsert(kind, [{ id_erp: id('own'), name: 'Own', slug: `${kind}-wanted` }])
    expect((await upsert(kind, [{ id_erp: id('own'), name: 'Own', slug: `${kind}-wanted` }])).errors).toEqual([])
    const item = { id_erp: id('other'), name: 'Other', slug: `${kind}-wanted` }
    const entry = { id_erp: id('other'), message: taken(`${kind}-wanted`, `${kind}-wanted-2`) }
    expect(await upsert(kind, [item])).toEqual({ processed: 1, created: 1, updated: 0, errors: [entry] })
    expect(await slugOf(kind, id('other'))).toBe(`${kind}-wanted-2`)
    expect(await upsert(kind, [item])).toEqual({ processed: 1, created: 0, updated: 1, errors: [entry] })
    expect(await slugOf(kind, id('other'))).toBe(`${kind}-wanted-2`)
  })

  it('are distinct for two items of a batch with the same slug', async () => {
    const result = await upsert(kind, [
      { id_erp: id('pair1'), name: 'P', slug: `${kind}-pair` },
      { id_erp: id('pair2'), name: 'P', slug: `${kind}-pair` },
    ])
    expect(result).toMatchObject({
      created: 2,
      errors: [{ id_erp: id('pair2'), message: taken(`${kind}-pair`, `${kind}-pair-2`) }],
    })
  })

  it('of inactive ones stay taken (rules.md#slug-unique)', async () => {
    await upsert(kind, [{ id_erp: id('gone'), name: 'Gone', slug: `${kind}-gone` }])
    await open().erp.post(`/${kind}/delete`, { ids_erp: [id('gone')] })
    const { errors } = await upsert(kind, [{ id_erp: id('heir'), name: 'Heir', slug: `${kind}-gone` }])
    expect(errors).toEqual([{ id_erp: id('heir'), message: taken(`${kind}-gone`, `${kind}-gone-2`) }])
  })

  it('can be swapped by two items only through a third slug', async () => {
    await upsert(kind, [
      { id_erp: id('s1'), name: 'S', slug: `${kind}-s1` },
      { id_erp: id('s2'), name: 'S', slug: `${kind}-s2` },
    ])
    await upsert(kind, [{ id_erp: id('s1'), name: 'S', slug: `${kind}-s3` }])
    expect((await upsert(kind, [{ id_erp: id('s2'), name: 'S', slug: `${kind}-s1` }])).errors).toEqual([])
    expect([await slugOf(kind, id('s1')), await slugOf(kind, id('s2'))]).toEqual([`${kind}-s3`, `${kind}-s1`])
  })
})

it('a product and a category may have the same slug', async () => {
  expect((await upsert('categories', [{ id_erp: 'slug-kinds', name: 'K', slug: 'both-kinds' }])).errors).toEqual([])
  expect((await upsert('products', [{ id_erp: 'slug-kinds', name: 'K', slug: 'both-kinds' }])).errors).toEqual([])
})

it('of a product come from the name plus the article (erp.md#products-5)', async () => {
  await upsert('products', [{ id_erp: 'slug-article', name: 'Oil filter', article: 'W 712/75' }])
  expect(await slugOf('products', 'slug-article')).toBe('oil-filter-w-712-75')
})

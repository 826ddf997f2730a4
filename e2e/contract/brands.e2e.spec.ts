import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import type { FakeSupplier } from '@partsbus/test-kit/fake-supplier'
import type { BrandEntry } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const open = usePartner()

describe('POST /get-brands', () => {
  const ids: number[] = []
  const storages: FakeSupplier[] = []
  const names = ['Alpha', 'Бета', 'Gamma']
  beforeAll(async () => {
    for (const name of names) {
      const { id, supplier } = await open().newRemote(name)
      ids.push(id)
      storages.push(supplier)
    }
    await open().ask(...ids.toReversed())
  })
  beforeEach(() => {
    for (const supplier of storages) supplier.offer({})
  })
  afterAll(() => open().ask())

  const ask = async (article: string, more: object = {}) =>
    (await open().post('/get-brands', { article, ...more })).body
  const found = async (article: string) => (await ask(article)).brands as BrandEntry[]
  const hold = (...rows: unknown[][]): void => rows.forEach((brands, at) => storages[at]?.offer({ brands }))
  const row = (brand: unknown, article: unknown = 'OC 90', name: unknown = 'Filter') => ({ brand, article, name })
  const at = (...places: number[]) => places.map((place) => ({ storage_id: ids[place], storage_name: names[place] }))

  // partners.md#brand-entry
  it('answers result, message and brands; an entry has exactly the documented fields', async () => {
    hold([
      {
        ...row('BOSCH'),
        price: 5,
        purchase_price: 3,
        markup: 2,
        quantity: 7,
        storages: [1],
        payload: { key: 'secret' },
      },
    ])
    expect(await ask('oc90')).toEqual({
      result: true,
      message: 'OK',
      brands: [{ brand: 'BOSCH', article: 'OC 90', name: 'Filter', storages: at(0) }],
    })
  })
  it('queries each storage for the article as the partner wrote it (partners.md#brands-2)', async () => {
    await found(' oc-90/Ё "x" ')
    for (const supplier of storages) {
      expect(supplier.requests.at(-1)).toMatchObject({
        method: 'POST',
        path: '/brands',
        body: { article: ' oc-90/Ё "x" ' },
        headers: { 'content-type': 'application/json' },
      })
    }
  })

  // partners.md#brands-3, rules.md#articles
  describe('kept when the normalised article is the same: NFKC, upper case, letters and digits', () => {
    const same: [asked: string, held: string[]][] = [
      [
        'oc 90',
        ['OC90', 'oc.90', 'OC-90/', '«OC» 90', 'ＯＣ９０', 'OC\u00a090', 'O\u200bC90', 'OC90\u0301', '  oc_90!'],
      ],
      ['ё-12', ['Ё12', '\u0435\u030812', 'ё 12']],
      ['й1', ['\u0418\u03061']],
      ['ff1', ['ﬀ1', 'FF-1']],
      ['straße', ['STRASSE']],
      ['№5', ['No5', 'NO 5']],
      ['2', ['²', '②']],
      ['viii', ['Ⅷ']],
      ['k1', ['\u212a1']],
      ['ǆ', ['Ǆ', 'dž']],
    ]
    it.each(same)('%j matches %j', async (article, held) => {
      hold(held.map((text, index) => row(`B${index}`, text)))
      const texts = (await found(article)).map((entry) => entry.article)
      expect(texts).toEqual(held.map((text) => text.trim()))
    })
    it.each<[string, string[]]>([
      ['OC90', ['0OC90', 'OC90A', 'OC9', 'OC900', 'ОС90', '90OC', '', '-']],
      ['0451', ['451', '00451']],
      ['е12', ['ё12']],
      ['12', ['١٢', '1', '21']],
      ['a', ['á', 'а']],
    ])('%j does not match %j', async (article, held) => {
      hold(held.map((text) => row('B', text)))
      expect(await found(article)).toEqual([])
    })
    it('queries no storage for an article without letters and digits', async () => {
      hold([row('B', '---'), row('B', '')])
      const before = storages[0]?.requests.length
      expect(await ask('--- !')).toEqual({ result: true, message: 'OK', brands: [] })
      expect(storages[0]?.requests.length).toBe(before)
    })
  })

  it.each<[string, unknown]>([
    ['empty', ''],
    ['blank', ' \t'],
    ['a dash', '-'],
    ['a dash with blanks', ' - '],
    ['null', null],
    ['missing', undefined],
    ['an object', {}],
  ])('dropped with a name that is %s, from that storage alone (partners.md#brands-4)', async (_what, name) => {
    hold([{ brand: 'A', article: 'OC90', name }, row('B', 'OC90', '--')], [row('A', 'OC 90', 'Named')])
    expect(await found('oc90')).toEqual([
      { brand: 'A', article: 'OC 90', name: 'Named', storages: at(1) },
      { brand: 'B', article: 'OC90', name: '--', storages: at(0) },
    ])
  })

  // rules.md#brand-names
  describe('brand names are normalised (partners.md#brands-5)', () => {
    it.each([
      ['case', 'Bosch', 'BOSCH'],
      ['blanks around and doubled', '  Robert \t\u00a0 Bosch ', 'ROBERT BOSCH'],
      ['quotes', '«Bosch»', 'BOSCH'],
      ['other quotes', '"BOSCH\'', 'BOSCH'],
      ['full width', 'ＢＯＳＣＨ', 'BOSCH'],
      ['Cyrillic case', 'ёлка', 'ЁЛКА'],
    ])('%s', async (_what, written, shown) => {
      hold([row(written)], [row(shown.toLowerCase())])
      expect(await found('oc90')).toEqual([{ brand: shown, article: 'OC 90', name: 'Filter', storages: at(0, 1) }])
    })
    it('different names are different brands', async () => {
      hold(['BOSCH', 'BOSH', 'ЁЛКА', 'ЕЛКА', 'BOSCH GMBH', 'ВOSCH'].map((brand) => row(brand)))
      expect((await found('oc90')).map(({ brand }) => brand)).toEqual([
        'BOSCH',
        'BOSCH GMBH',
        'BOSH',
        'ЁЛКА',
        'ВOSCH',
        'ЕЛКА',
      ])
    })
    it('synonyms are one brand under the canonical name from the next query on', async () => {
      hold([row('mann')], [row('«Mann & Hummel»', 'oc-90', 'Other')], [row('MANN-FILTER')])
      const brands = async () => (await found('oc90')).map(({ brand, storages: places }) => [brand, places.length])
      expect(await brands()).toEqual([
        ['MANN', 1],
        ['MANN & HUMMEL', 1],
        ['MANN-FILTER', 1],
      ])
      const group = expectStatus(
        await open().shop.admin.post<{ id: number }>('/brand-synonyms', {
          canonical: 'Mann-Filter',
          synonyms: ['MANN', 'Mann & Hummel'],
        }),
        201,
      ).body.id
      expect(await found('oc90')).toEqual([
        { brand: 'Mann-Filter', article: 'OC 90', name: 'Filter', storages: at(0, 1, 2) },
      ])
      await open().shop.admin.patch(`/brand-synonyms/${group}`, {
        canonical: 'MF',
        synonyms: ['MANN', 'MANN-FILTER'],
      })
      expect(await brands()).toEqual([
        ['MANN & HUMMEL', 1],
        ['MF', 2],
      ])
      await open().shop.admin.delete(`/brand-synonyms/${group}`)
      expect((await brands()).length).toBe(3)
    })
    it.each([
      ['empty', ''],
      ['blank', '  '],
      ['quotes alone', '""'],
      ['null', null],
      ['missing', undefined],
      ['an object', {}],
      ['a list', ['B']],
    ])('drops a pair whose brand is %s', async (_what, brand) => {
      hold([row(brand), row('B')])
      expect((await found('oc90')).map((entry) => entry.brand)).toEqual(['B'])
    })
  })

  // partners.md#brands-6
  it('merges entries of one brand and article; name and article are those of the lowest storage id', async () => {
    hold([], [row('B', 'oc-90', 'Second')], [row('b', 'OC 90', 'Third')])
    expect(await found('oc90')).toEqual([{ brand: 'B', article: 'oc-90', name: 'Second', storages: at(1, 2) }])
    hold([row('"b"', 'O C 9 0', 'First')], [row('B', 'oc-90', 'Second')], [row('b', 'OC 90', 'Third')])
    expect(await found('oc90')).toEqual([{ brand: 'B', article: 'O C 9 0', name: 'First', storages: at(0, 1, 2) }])
  })
  it('ordered by brand, the same every time, whatever the order of rows and answers', async () => {
    const brands = ['Zeta', 'b', 'A', 'Ä', 'Я', 'а', 'a b', '10', '9']
    const orders: string[] = []
    for (const rows of [brands, brands.toReversed()]) {
      hold(
        rows.map((brand) => row(brand)),
        rows.toReversed().map((brand) => row(brand)),
      )
      orders.push((await open().post('/get-brands', { article: 'oc90' })).text)
    }
    expect(orders[1]).toBe(orders[0])
    expect((await found('oc90')).map(({ brand }) => brand)).toEqual(['10', '9', 'A', 'A B', 'B', 'ZETA', 'Ä', 'А', 'Я'])
  })
  it('omits invalid rows and keeps the others', async () => {
    hold([
      null,
      5,
      'x',
      [],
      {},
      row('Good'),
      { brand: 'No article', name: 'n' },
      row('Null article', null),
      row('Long', 'x'.repeat(500)),
      row('x'.repeat(192)),
    ])
    expect((await found('oc90')).map(({ brand }) => brand)).toEqual(['GOOD'])
  })
})

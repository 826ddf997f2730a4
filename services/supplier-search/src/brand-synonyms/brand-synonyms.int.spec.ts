import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  createBrandSynonym,
  deleteBrandSynonym,
  getBrandSynonym,
  listBrandSynonyms,
  patchBrandSynonym,
  showBrands,
} from '@partsbus/contracts/supplier-search/commands'
import { type SearchUnderTest, startSearchUnderTest } from '../testing/search-under-test.js'

let search: SearchUnderTest
beforeAll(async () => {
  search = await startSearchUnderTest()
})
afterAll(() => search.stop())
beforeEach(() => search.db.collection('brand_synonyms').deleteMany({}))

const create = (canonical: string, ...synonyms: string[]) => search.ask(createBrandSynonym, { canonical, synonyms })
const violation = (errors: Record<string, string>) => ({
  code: 'CONTRACT_VIOLATION',
  message: 'The given data was invalid.',
  details: { errors: Object.fromEntries(Object.entries(errors).map(([path, text]) => [path, [text]])) },
})

it('brands are shown as partners see them (admin.md#preview-details)', async () => {
  await create('Mann-Filter', 'MANN')
  expect(await search.ask(showBrands, { brands: ['mann', ' bosch ', 'MANN-FILTER', 'mann'] })).toEqual({
    brands: ['Mann-Filter', 'BOSCH', 'Mann-Filter', 'Mann-Filter'],
  })
})

it('brands of many groups are shown as partners see them, also after a change (admin.md#preview-details)', async () => {
  const groups = Array.from({ length: 600 }, (_, at) => ({
    _id: 1_000_000 + at,
    canonical: `Canonical ${at}`,
    synonyms: [`Other ${at}`],
    keys: [`CANONICAL ${at}`, `OTHER ${at}`],
    rev: 1,
  }))
  await search.db.collection<{ _id: number }>('brand_synonyms').insertMany(groups)
  const { id } = await create('Mann-Filter', 'MANN')
  const show = async () => (await search.ask(showBrands, { brands: ['other 599', 'mann', 'bosch'] })).brands
  expect(await show()).toEqual(['Canonical 599', 'Mann-Filter', 'BOSCH'])
  await search.ask(patchBrandSynonym, { id, patch: { synonyms: ['Bosch'] } })
  expect(await show()).toEqual(['Canonical 599', 'MANN', 'Mann-Filter'])
  await search.ask(deleteBrandSynonym, { id })
  expect(await show()).toEqual(['Canonical 599', 'MANN', 'BOSCH'])
})

it('a page of large groups ends early, and the next one begins behind it (admin.md#page-fits)', async () => {
  const spellings = Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(191, 'Ы'))
  const groups = Array.from({ length: 50 }, (_, at) => ({
    _id: 2_000_000 + at,
    canonical: `Large ${at}`,
    synonyms: spellings,
    keys: [`LARGE ${at}`],
    rev: 1,
  }))
  await search.db.collection<{ _id: number }>('brand_synonyms').insertMany(groups)
  const ids: number[] = []
  for (let after_id = 0; ids.length < groups.length; after_id = ids.at(-1) ?? 0) {
    const { data, total } = await search.ask(listBrandSynonyms, { page: 1, per_page: 50, after_id })
    expect(total).toBe(50)
    expect(data.length).toBeGreaterThan(0)
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(8 * 1024 * 1024)
    ids.push(...data.map(({ id }) => id))
  }
  expect(ids).toEqual(groups.map(({ _id }) => _id))
})

describe('/brand-synonyms', () => {
  it('creates, reads, lists, changes and deletes a group', async () => {
    const { revision, ...group } = await create('Mann', 'Mann-Filter')
    expect(revision).toBe(1)
    expect(group).toEqual({ id: expect.any(Number), canonical: 'Mann', synonyms: ['Mann-Filter'] })
    expect(await search.ask(getBrandSynonym, { id: group.id })).toEqual({ ...group, revision })
    expect(await search.ask(listBrandSynonyms, { page: 1, per_page: 50 })).toEqual({
      data: [group],
      total: 1,
      page: 1,
      per_page: 50,
    })
    expect(await search.ask(patchBrandSynonym, { id: group.id, patch: { canonical: 'MANN-FILTER' } })).toEqual({
      ...group,
      canonical: 'MANN-FILTER',
      revision: 2,
    })
    expect(await search.ask(patchBrandSynonym, { id: group.id, patch: { synonyms: [] } })).toEqual({
      ...group,
      canonical: 'MANN-FILTER',
      synonyms: [],
      revision: 3,
    })
    expect(await search.ask(deleteBrandSynonym, { id: group.id })).toEqual({})
    await expect(search.ask(getBrandSynonym, { id: group.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(search.ask(deleteBrandSynonym, { id: group.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(search.ask(patchBrandSynonym, { id: group.id, patch: {} })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('refuses a spelling of another group in any writing, and names both', async () => {
    const { id } = await create('Mann', 'Mann & Hummel')
    await expect(create('Other', 'x', '"mann"  & HUMMEL')).rejects.toMatchObject(
      violation({ 'synonyms.1': `The spelling ""mann"  & HUMMEL" already belongs to the group ${id} "Mann".` }),
    )
    await expect(create('MANN')).rejects.toMatchObject(
      violation({ canonical: `The spelling "MANN" already belongs to the group ${id} "Mann".` }),
    )
    const other = await create('Other')
    await expect(search.ask(patchBrandSynonym, { id: other.id, patch: { synonyms: ['mann'] } })).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
    })
    expect(await search.ask(getBrandSynonym, { id: other.id })).toEqual(other)
  })

  it("accepts a group's own spellings again, and those of a deleted group", async () => {
    const group = await create('Mann', 'MANN', 'mann', 'Hummel')
    expect(group.synonyms).toEqual(['MANN', 'mann', 'Hummel'])
    await search.ask(patchBrandSynonym, { id: group.id, patch: { canonical: 'Hummel', synonyms: ['Mann'] } })
    await search.ask(deleteBrandSynonym, { id: group.id })
    await create('Mann')
  })

  it('gives a spelling to one of many concurrent requests', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => create(`Brand ${at}`, 'Same')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'CONTRACT_VIOLATION',
          details: { errors: { 'synonyms.0': [expect.stringContaining('The spelling "Same" already belongs')] } },
        })
    }
    expect(await search.db.collection('brand_synonyms').countDocuments({ keys: 'SAME' })).toBe(1)
  })

  it('keeps concurrent changes of different fields', async () => {
    const { id } = await create('Mann', 'a')
    await Promise.all([
      search.ask(patchBrandSynonym, { id, patch: { canonical: 'Mann-Filter' } }),
      search.ask(patchBrandSynonym, { id, patch: { synonyms: ['b'] } }),
    ])
    expect(await search.ask(getBrandSynonym, { id })).toEqual({
      id,
      canonical: 'Mann-Filter',
      synonyms: ['b'],
      revision: 3,
    })
    expect((await search.db.collection('brand_synonyms').findOne({ canonical: 'Mann-Filter' }))?.['keys']).toEqual([
      'MANN-FILTER',
      'B',
    ])
  })

  it.each<[object, string, string]>([
    [{}, 'canonical', 'The canonical field is required.'],
    [{ canonical: 'x', synonyms: [''] }, 'synonyms.0', 'The synonyms.0 field is required.'],
    [{ canonical: '""' }, 'canonical', 'The canonical must contain more than quotes.'],
    [{ canonical: 'x', other: 1 }, 'other', 'The other field is unknown.'],
  ])('refuses %j', async (body, path, text) => {
    await expect(search.ask(createBrandSynonym, body as { canonical: string })).rejects.toMatchObject(
      violation({ [path]: text }),
    )
  })
})

describe('GET /brand-synonyms?q= (admin.md#list-filters)', () => {
  it.each([
    ['mann', ['Mann']],
    ['filt', ['Mann', 'Hengst (DE)']],
    ['(de', ['Hengst (DE)']],
    ['лем', ['LEMFÖRDER']],
    ['m.n', []],
  ])('finds groups by %j in any spelling', async (q, names) => {
    await create('Mann', 'Mann-Filter')
    await create('Hengst (DE)', 'Hengst Filter')
    await create('LEMFÖRDER', 'Лемфёрдер')
    const { data, total } = await search.ask(listBrandSynonyms, { page: 1, per_page: 50, q })
    expect([data.map(({ canonical }) => canonical), total]).toEqual([names, names.length])
  })
})

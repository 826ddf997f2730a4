import { afterEach, expect, it, jest } from '@jest/globals'
import type { BusClient } from '@partsbus/platform/bus/client'
import { ReadKnownBrands } from './read-known-brands.js'

afterEach(() => {
  jest.restoreAllMocks()
})

// admin.md#known-brands
it('known brands are read in pages that a message holds, all within one time limit', async () => {
  let now = 0
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const groups = Array.from({ length: 120 }, (_, at) => ({ canonical: `BRAND ${at}`, synonyms: [] }))
  const perPage: number[] = []
  const timeouts: number[] = []
  const request = async (
    _command: unknown,
    { page, per_page }: { page: number; per_page: number },
    { timeoutMs }: { timeoutMs: number },
  ) => {
    perPage.push(per_page)
    timeouts.push(timeoutMs)
    now += 800
    return { data: groups.slice((page - 1) * per_page, page * per_page), total: groups.length }
  }
  const known = new ReadKnownBrands({ request } as unknown as BusClient)
  const rules = { format: { known_brands: true }, markup_percent: 0, delivery_days: null }
  expect((await known.withKnownBrands(rules, 2_000)).known_brands).toEqual(groups)
  expect(perPage).toEqual([50, 50, 50])
  expect(timeouts).toEqual([2_000, 1_200, 400])
})

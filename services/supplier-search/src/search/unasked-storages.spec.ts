import { beforeEach, describe, expect, it } from '@jest/globals'
import { defaultCallSettings } from '@partsbus/contracts/administration/settings'
import { AppError } from '@partsbus/contracts/app-error'
import { BrandNames } from '../brand-synonyms/brand-names.js'
import type { OffersQuery } from '../suppliers/own-service.js'
import { OwnServiceAdapter, OwnServiceAnswers } from '../suppliers/own-service.js'
import { UnaskedStorages } from './unasked-storages.js'

const WAITS_MS = 2_000
const row = { brand: 'MAHLE', article: 'OC1051', name: 'Filter', quantity: 1, price: 5, delivery_days: 1 }
const names = new BrandNames([{ id: 1, canonical: 'MAHLE', synonyms: ['KNECHT'] }])
const log = { warn: () => undefined } as never
const answers = new OwnServiceAnswers({ duration: { startTimer: () => () => undefined } } as never, log)

let asked: OffersQuery[]
let isCut: boolean
let failure: Error | undefined
let resolved: { brands: readonly string[]; limitMs: number }[]
beforeEach(() => {
  asked = []
  isCut = false
  failure = undefined
  resolved = []
})

class Lists extends OwnServiceAdapter {
  protected readonly name = 'price-list'
  protected async findOffers(ids: number[], query: OffersQuery) {
    asked.push(query)
    if (failure) throw failure
    return { offers: new Map(ids.map((id) => [id, [row]])), isCut }
  }
  async findSoldOut(): Promise<Set<number>> {
    return new Set()
  }
}

const storages = [1, 2].map((id) => ({ id, name: `List ${id}`, is_active: true, kind: 'price-list' }))
const unasked = new UnaskedStorages(
  { request: async () => ({ storages }) } as never,
  undefined as never,
  new Lists(answers) as never,
  {
    resolve: async (brands: readonly string[], limitMs: number) => {
      resolved.push({ brands, limitMs })
      return names
    },
  } as never,
  log,
)
const describeFor = (brands?: readonly string[]) =>
  unasked.describe([{ id: 1, name: 'List 1', supplier: { kind: 'price-list' } }], {
    body: { article: 'OC 1051', ...(brands && { brands }) },
    settings: defaultCallSettings,
    timeLeft: () => WAITS_MS,
  })
const also_in = [{ storage_id: 2, storage_name: 'List 2' }]

describe('the storages that were not asked (admin.md#search-unasked)', () => {
  it.each([
    ['brands', undefined, undefined],
    ['parts of brands', ['knecht'], ['KNECHT', 'MAHLE']],
  ])('are read for %s as the search reads the others', async (_what, brands, brandKeys) => {
    expect(await describeFor(brands)).toEqual({ asked: 1, of: 2, also_in, sold_out: [] })
    expect(asked).toEqual([{ articleKey: 'OC1051', brandKeys, limitMs: expect.any(Number) }])
  })

  it('leave time for the way back of the answer of the search', async () => {
    await describeFor()
    await describeFor(['knecht'])
    expect(resolved.map(({ brands }) => brands)).toEqual([['MAHLE'], ['knecht'], ['knecht']])
    for (const { limitMs } of resolved) expect(limitMs).toBeLessThanOrEqual(WAITS_MS - 400)
  })

  it.each([undefined, ['knecht']])(
    'are not known to be all where one answered in part (brands: %s)',
    async (brands) => {
      isCut = true
      expect(await describeFor(brands)).toEqual({ asked: 1, of: null, also_in, sold_out: [] })
    },
  )

  it.each([undefined, ['knecht']])('are not known to be all where one did not answer (brands: %s)', async (brands) => {
    for (const code of ['TIMEOUT', 'UNAVAILABLE'] as const) {
      failure = new AppError(code, 'late')
      expect(await describeFor(brands)).toEqual({ asked: 1, of: null, also_in: [], sold_out: [] })
    }
  })
})

import { expect, it } from '@jest/globals'
import { MAX_BODY_BYTES } from '@partsbus/contracts/message'
import { fitOffers } from './fit-offers.js'

const offer = (storage_id: number, brand: string, price: number | null) => ({
  storage_id,
  brand,
  price,
  name: 'x'.repeat(1_000),
})

it('returns few offers unchanged', () => {
  const offers = [offer(1, 'B', 2), offer(1, 'A', 1)]
  expect(fitOffers(offers)).toEqual(offers)
})

it('of too many, the cheapest of each brand of each storage stays, then the cheapest', () => {
  const common = Array.from({ length: 20_000 }, (_, at) => offer(1, 'A', 20_000 - at))
  const rare = [offer(1, 'B', 1_000_000), offer(2, 'A', null)]
  const kept = fitOffers([...common, ...rare])
  expect(kept.slice(0, 3).map(({ storage_id, brand, price }) => [storage_id, brand, price])).toEqual([
    [1, 'A', 1],
    [1, 'B', 1_000_000],
    [2, 'A', null],
  ])
  expect(kept.slice(3, 6).map(({ price }) => price)).toEqual([2, 3, 4])
  expect(kept.length).toBeLessThan(common.length)
  expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(MAX_BODY_BYTES)
})

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { answerAtOnce, expectRecovery } from './testing/outage.js'
import type { Parts } from './testing/partner-shop.js'
import { openSearchShop, type PartnerRequest, type SearchShop } from './testing/search-shop.js'
import { expectStatus } from './testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'

jest.setTimeout(300_000)

const UNAVAILABLE = { result: false, message: 'Service temporarily unavailable.' }

/** Two replicas of each service; all replicas of one service are down at a time. */
describe('the partner API while a service is down (promises.md#promise-5)', () => {
  let shop: SearchShop
  beforeAll(async () => {
    shop = await openSearchShop({ replicas: 'gateway=2,catalog=2,stock=2,pricing-import=2,supplier-search=2' })
  }, 300_000)
  afterAll(() => shop?.stop())

  const requestOf = (name: string) => shop.requests[name] as PartnerRequest
  const getParts = () => shop.partner.post<Parts>('/get-parts', shop.question)
  const expectUnavailable = async (...names: string[]) => {
    for (const name of names) {
      const answer = await answerAtOnce(() => requestOf(name)(shop.partner))
      expect([name, answer.status, answer.body]).toEqual([name, 503, UNAVAILABLE])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  }
  const answers = (status: number, message: string) => async () => {
    const answer = await getParts()
    return answer.status === status && answer.body.message === message
  }
  const partial = (count: number) => `Partial result: ${count} of 3 suppliers did not answer.`
  const found = async () => {
    const { status, headers, body } = await answerAtOnce(getParts)
    return [status, headers['x-suppliers'], body.message, body.parts.map(({ name }) => name)]
  }
  /**
   * Runs `check` while all replicas of the service are down and the API shows it; then every endpoint is back in 5 s.
   */
  const without = async (name: string, isNoticed: () => Promise<boolean>, check: () => Promise<void>) => {
    const noticeAndCheck = async () => {
      await waitFor(isNoticed, Boolean, 60_000, 20)
      await check()
    }
    const isServed = Object.values(shop.requests).map((request) => async () => {
      const { status, body } = await request(shop.partner)
      return status === 200 && !body.message.startsWith('Partial')
    })
    await expectRecovery(shop.product, name, noticeAndCheck, isServed)
  }

  it('returns the offers of all three suppliers when every service is up', async () => {
    const parts = expectStatus(await getParts(), 200)
    expect(parts.headers['x-suppliers']).toBe(shop.outcomes('ok', 'ok', 'ok'))
    expect(parts.body).toMatchObject({ result: true, message: 'OK' })
    expect(parts.body.parts.map(({ name }) => name)).toEqual(['From outside', 'From a list', 'Our own'])
  })

  it('answers searches 503 and everything else as usual without supplier-search', () =>
    without('supplier-search', answers(503, UNAVAILABLE.message), async () => {
      await expectUnavailable('get-brands', 'get-parts')
      for (const name of ['get-pick-up-points', 'get-price-list-status', 'upload-price-list'])
        expect([name, (await requestOf(name)(shop.partner)).status]).toEqual([name, 200])
    }))

  it('answers uploads 503 and returns the offers of the other suppliers without pricing-import', () =>
    without('pricing-import', answers(200, partial(1)), async () => {
      await expectUnavailable('get-price-list-status', 'upload-price-list')
      expect(await found()).toEqual([200, shop.outcomes('ok', 'error', 'ok'), partial(1), ['From outside', 'Our own']])
    }))

  it('returns the offers of the other suppliers without catalog', () =>
    without('catalog', answers(200, partial(1)), async () => {
      expect(await found()).toEqual([
        200,
        shop.outcomes('error', 'ok', 'ok'),
        partial(1),
        ['From outside', 'From a list'],
      ])
    }))

  it('returns the offers of the other suppliers from storages it knows without stock', () =>
    without('stock', answers(200, partial(1)), async () => {
      expect(await found()).toEqual([
        200,
        shop.outcomes('error', 'ok', 'ok'),
        partial(1),
        ['From outside', 'From a list'],
      ])
      await expectUnavailable('get-pick-up-points')
    }))
})

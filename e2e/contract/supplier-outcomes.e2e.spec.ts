import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { type FakeSupplier, type SupplierHandler, sendJson } from '@partsbus/test-kit/fake-supplier'
import { usePartner } from '../testing/contract-product.js'

const open = usePartner()

describe('queried suppliers and their outcomes', () => {
  const ids: number[] = []
  const suppliers: FakeSupplier[] = []
  beforeAll(async () => {
    for (const name of ['One', 'Two', 'Three']) {
      const { id, supplier } = await open().newRemote(name, { timeout_ms: 400 })
      ids.push(id)
      suppliers.push(supplier)
    }
  })
  beforeEach(async () => {
    for (const supplier of suppliers) answersWell(supplier)
    await open().ask(...ids)
  })
  afterAll(() => open().ask())

  const answersWell = (supplier: FakeSupplier): void =>
    supplier.offer({
      brands: [{ brand: 'B', article: 'S1', name: 'n' }],
      parts: [{ brand: 'B', article: 'S1', name: 'n', quantity: 1 }],
    })
  const search = async (more: object = {}) => {
    const [brands, parts] = [
      await open().post('/get-brands', { article: 's1', ...more }),
      await open().post('/get-parts', { article: 's1', brands: ['B'], ...more }),
    ]
    return { brands, parts }
  }
  const places = async (more: object = {}): Promise<unknown> => {
    const { brands, parts } = await search(more)
    expect(parts.body.parts?.map((part) => part.storage_id)).toEqual(
      brands.body.brands?.flatMap((entry) => entry.storages.map((each) => each.storage_id)),
    )
    expect(parts.headers['x-suppliers']).toBe(brands.headers['x-suppliers'])
    return [
      brands.body.result,
      brands.body.message,
      brands.headers['x-suppliers'],
      parts.body.parts?.map((part) => part.storage_id),
    ]
  }
  const allOf = (...asked: number[]) => [true, 'OK', asked.map((id) => `${id}=ok`).join(','), asked]

  describe('the storages (partners.md#brands-1, partners.md#parts-1)', () => {
    const point = async (storage_ids: number[], more: object = {}) =>
      expectStatus(
        await open().shop.admin.post<{ id: number }>('/pick-up-points', { name: 'P', storage_ids, ...more }),
        201,
      ).body.id
    const [first, second, third] = [() => ids[0] ?? 0, () => ids[1] ?? 0, () => ids[2] ?? 0]
    it('without pick_up_points, or with null: those of the setting; a change applies at once', async () => {
      expect(await places()).toEqual(allOf(...ids))
      expect(await places({ pick_up_points: null })).toEqual(allOf(...ids))
      await open().ask(third(), first())
      expect(await places()).toEqual(allOf(first(), third()))
      await open().ask()
      expect(await places()).toEqual(allOf())
    })
    it('with points: only the active storages of active points, each queried once', async () => {
      const [one, both, shut, none] = [
        await point([first()]),
        await point([second(), first()]),
        await point([third()], { is_active: false }),
        await point([]),
      ]
      expect(await places({ pick_up_points: [one] })).toEqual(allOf(first()))
      expect(await places({ pick_up_points: [both, one, both] })).toEqual(allOf(first(), second()))
      expect(await places({ pick_up_points: [shut] })).toEqual(allOf())
      expect(await places({ pick_up_points: [none, 999_999, shut, 0, -5, both] })).toEqual(allOf(first(), second()))
      await open().ask()
      expect(await places({ pick_up_points: [one] })).toEqual(allOf(first()))
    })
    it('[] or only unknown points: no storage, an empty list', async () => {
      for (const points of [[], [999_999], [0], [-1]]) expect(await places({ pick_up_points: points })).toEqual(allOf())
    })
    it('an inactive storage is not queried, neither by the setting nor by a point', async () => {
      const both = await point([first(), second()])
      await open().shop.admin.patch(`/storages/${first()}`, { is_active: false })
      try {
        expect(await places()).toEqual(allOf(second(), third()))
        expect(await places({ pick_up_points: [both] })).toEqual(allOf(second()))
      } finally {
        await open().shop.admin.patch(`/storages/${first()}`, { is_active: true })
      }
      expect(await places({ pick_up_points: [both] })).toEqual(allOf(first(), second()))
    })
  })

  const bad: [string, string, SupplierHandler][] = [
    ['HTTP 500', 'error', (_request, response) => sendJson(response, [], 500)],
    ['HTTP 404', 'error', (_request, response) => sendJson(response, [], 404)],
    ['a redirect', 'error', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['HTML', 'error', (_request, response) => sendJson(response, '<html>')],
    ['an object', 'error', (_request, response) => sendJson(response, { brands: [] })],
    ['null', 'error', (_request, response) => sendJson(response, 'null')],
    ['nothing', 'error', (_request, response) => response.end()],
    [
      'half of it',
      'error',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('[')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    [
      'a reset connection',
      'error',
      (_request, response) => {
        response.destroy()
      },
    ],
    ['10 MB', 'error', (_request, response) => sendJson(response, `["${'x'.repeat(10_000_000)}"]`)],
    ['silence', 'timeout', () => undefined],
    [
      'a drip',
      'timeout',
      (_request, response) => {
        response.writeHead(200).write('[')
      },
    ],
  ]
  // rules.md#suppliers-partial
  describe.each(bad)('a supplier that answers %s (bad-inputs.md#input-62)', (_what, outcome, reply) => {
    // a supplier for each case, because repeated failures open its circuit
    let broken: number
    beforeAll(async () => {
      const { id, supplier } = await open().newRemote('Broken', { timeout_ms: outcome === 'timeout' ? 400 : 5_000 })
      supplier.respond(reply)
      broken = id
    })
    it('is omitted and listed; the others are returned in time', async () => {
      const [one = 0, two = 0] = ids
      await open().ask(one, broken, two)
      const { brands, parts } = await search()
      for (const answer of [brands, parts]) {
        expect([answer.status, answer.body.result, answer.body.message, answer.headers['x-suppliers']]).toEqual([
          200,
          true,
          'Partial result: 1 of 3 suppliers did not answer.',
          `${one}=ok,${two}=ok,${broken}=${outcome}`,
        ])
        expect(answer.ms).toBeLessThan(10_000)
      }
      expect([brands.body.brands?.[0]?.storages.length, parts.body.parts?.length]).toEqual([2, 2])
    })
    it('as the only supplier: 200, result false, an empty list, No supplier answered.', async () => {
      await open().ask(broken)
      const { brands, parts } = await search()
      expect([brands.status, brands.body, brands.headers['x-suppliers']]).toEqual([
        200,
        { result: false, message: 'No supplier answered.', brands: [] },
        `${broken}=${outcome}`,
      ])
      expect([parts.status, parts.body]).toEqual([200, { result: false, message: 'No supplier answered.', parts: [] }])
    })
  })

  // rules.md#suppliers-partial
  it('two of three: the message has the number; the next query includes a recovered supplier', async () => {
    const [one, two, three] = ids
    for (const supplier of suppliers.slice(1)) supplier.respond((_request, response) => sendJson(response, [], 500))
    expect(await places()).toEqual([
      true,
      'Partial result: 2 of 3 suppliers did not answer.',
      `${one}=ok,${two}=error,${three}=error`,
      [one],
    ])
    for (const supplier of suppliers) answersWell(supplier)
    expect(await places()).toEqual(allOf(...ids))
  })

  // rules.md#suppliers-breaker
  it('after 5 failures in a row a supplier is not queried for a while, and still listed', async () => {
    const { id, supplier } = await open().newRemote('Failing')
    supplier.respond((_request, response) => sendJson(response, [], 500))
    await open().ask(ids[0] ?? 0, id)
    const answers = []
    for (let count = 0; count < 8; count++)
      answers.push((await open().post('/get-brands', { article: `s${count}` })).headers['x-suppliers'])
    expect([supplier.requests.length, new Set(answers)]).toEqual([5, new Set([`${ids[0]}=ok,${id}=error`])])
    const test = await open().shop.admin.post<{ ok: boolean }>(`/storages/${id}/test`, { article: 's1' })
    expect([test.body.ok, supplier.requests.length]).toEqual([false, 6])
  })

  // rules.md#suppliers-cache
  it('replies are cached for cache_seconds by storage, article and brands; partial ones are not cached', async () => {
    const { id, supplier } = await open().newRemote('Cached', { cache_seconds: 60 })
    answersWell(supplier)
    await open().ask(id, ids[1] ?? 0)
    suppliers[1]?.respond((_request, response) => sendJson(response, [], 500))
    expect(((await places()) as unknown[])[1]).toBe('Partial result: 1 of 2 suppliers did not answer.')
    answersWell(suppliers[1] as FakeSupplier)
    expect(await places()).toEqual(allOf(...[id, ids[1] ?? 0].toSorted((a, b) => a - b)))
    expect(supplier.requests.map(({ path }) => path)).toEqual(['/brands', '/parts'])
    await open().post('/get-brands', { article: 's2' })
    expect(supplier.requests).toHaveLength(3)
    await open().shop.admin.patch(`/storages/${id}`, {
      supplier: { kind: 'http', base_url: supplier.url, cache_seconds: 0, dialect: 'standard' },
    })
    await open().post('/get-brands', { article: 's1' })
    await open().post('/get-brands', { article: 's1' })
    expect(supplier.requests).toHaveLength(5)
  })

  // rules.md#suppliers-time
  it('the time limit of a storage ends its query', async () => {
    const { id, supplier } = await open().newRemote('Endless', { timeout_ms: 300 })
    let closed = 0
    supplier.respond((_request, response) => {
      response.on('close', () => {
        closed += 1
      })
    })
    await open().ask(id)
    const answer = await open().post('/get-brands', { article: 's1' })
    expect([answer.body.message, answer.headers['x-suppliers'], answer.ms < 10_000]).toEqual([
      'No supplier answered.',
      `${id}=timeout`,
      true,
    ])
    await waitFor(
      async () => closed,
      (count) => count === 1,
    )
  })

  it('the headers of a storage are sent to its supplier only', async () => {
    const { id, supplier } = await open().newRemote('Secret', {
      headers: { 'X-Key': 'top-secret-of-a-supplier', Accept: 'application/vnd.x+json' },
    })
    answersWell(supplier)
    await open().ask(id)
    const { brands, parts } = await search()
    expect(supplier.requests.map(({ headers }) => [headers['x-key'], headers.accept])).toEqual([
      ['top-secret-of-a-supplier', 'application/vnd.x+json'],
      ['top-secret-of-a-supplier', 'application/vnd.x+json'],
    ])
    expect(supplier.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('authorization')
    for (const answer of [brands, parts])
      expect(JSON.stringify([answer.body, answer.headers])).not.toContain('top-secret')
  })
})

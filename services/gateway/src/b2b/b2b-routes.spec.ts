import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { AppError, texts } from '@partsbus/contracts/app-error'
import { busHeaders, type Command, type RequestOf } from '@partsbus/contracts/message'
import { getImportStatus } from '@partsbus/contracts/pricing-import/commands'
import { findBrands, findParts } from '@partsbus/contracts/supplier-search/commands'
import { readCall } from '@partsbus/platform/bus/call'
import { brandEntries, importTask, offeredPickUpPoint, parts } from '../testing/resources.js'
import { openStubApp } from '../testing/stub-app.js'

type Stub = Awaited<ReturnType<typeof openStubApp>>

const commands: Record<string, Command> = Object.fromEntries(
  [findBrands, findParts, getImportStatus].map((command) => [command.subject, command]),
)
const json = { 'content-type': 'application/json' }

let stub: Stub
let token: string
let reply: (subject: string, request: RequestOf<Command>) => unknown

beforeAll(async () => {
  stub = await openStubApp({
    answer: async ({ subject, body }, setReplyHeader) => {
      const command = commands[subject]
      // the body as the service decodes it
      const request = command ? (await readCall(command, { data: Buffer.from(body) })).body : {}
      const answer = reply(subject, request)
      if (answer instanceof AppError) throw answer
      const { suppliers, ...sent } = answer as { suppliers?: string }
      if (suppliers !== undefined) setReplyHeader(busHeaders.suppliers, suppliers)
      return JSON.stringify(sent)
    },
  })
})
beforeEach(async () => {
  token = (await stub.reset({ b2b_enabled: true })).b2b
})
afterAll(() => stub.close())

async function post(path: string, body?: string, headers: Record<string, string> = json) {
  const answer = await stub.ask({
    method: 'POST',
    url: `/api/b2b${path}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body }),
  })
  return {
    status: answer.statusCode,
    text: answer.body,
    body: answer.json() as Record<string, unknown>,
    headers: answer.headers,
  }
}

describe('POST /get-pick-up-points', () => {
  it.each([
    ['nothing', undefined, {}],
    ['an object', '{"a":1}', json],
    ['broken JSON', '{', json],
    ['another type', '<xml/>', { 'content-type': 'text/xml' }],
    ['no type', 'x', {}],
    ['a compressed body', 'x', { ...json, 'content-encoding': 'gzip' }],
  ])('the body does not matter: %s', async (_what, body, headers) => {
    reply = () => ({ pick_up_points: [offeredPickUpPoint] })
    const answer = await post('/get-pick-up-points', body, headers)
    expect([answer.status, answer.text]).toEqual([
      200,
      JSON.stringify({ result: true, message: 'OK', pick_up_points: [offeredPickUpPoint] }),
    ])
    expect(stub.asked.map(({ subject, body: sent }) => [subject, sent])).toEqual([
      ['stock.pick-up-points.offered', '{}'],
    ])
  })
})

const searches = [
  ['/get-brands', findBrands.subject, { article: 'OC 90' }, { brands: brandEntries }, { brands: [] }],
  ['/get-parts', findParts.subject, { article: 'OC 90', brands: ['KNECHT'] }, { parts }, { parts: [] }],
] as const

describe.each(searches)('POST %s', (path, subject, request, found, none) => {
  it('the answer of the search, its suppliers as a header', async () => {
    reply = () => ({ result: true, message: 'OK', ...found, suppliers: '12=ok,14=ok' })
    const answer = await post(path, JSON.stringify(request))
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ result: true, message: 'OK', ...found })])
    expect(answer.headers['x-suppliers']).toBe('12=ok,14=ok')
    expect(stub.asked.map((call) => [call.subject, call.body, call.timeoutMs])).toEqual([
      [subject, JSON.stringify(request), 12_000],
    ])
  })
  it('the setting storages_for_crosses travels with the question', async () => {
    reply = () => ({ result: true, message: 'OK', ...none, suppliers: '' })
    await stub.administration.patch({ storages_for_crosses: [3, 1] })
    await post(path, JSON.stringify(request))
    expect(stub.asked[0]?.settings).toMatchObject({ storages_for_crosses: [3, 1] })
  })
  it('returns 200 with result false when no supplier answered', async () => {
    reply = () => ({ result: false, message: 'No supplier answered.', ...none, suppliers: '12=timeout' })
    const answer = await post(path, JSON.stringify(request))
    expect([answer.status, answer.body, answer.headers['x-suppliers']]).toEqual([
      200,
      { result: false, message: 'No supplier answered.', ...none },
      '12=timeout',
    ])
  })
  it.each([
    ['{"article":"x","__proto__":{"a":1},"constructor":1,"brands":["B"],"extra":[]}'],
    ['{"article":"x","brands":["B"],"pick_up_points":null}'],
    ['{"article":"x","brands":["B"],"pick_up_points":[]}'],
    ['\uFEFF{"article":"x","brands":["B"]}'],
  ])('is asked with %s', async (body) => {
    reply = () => ({ result: true, message: 'OK', ...none, suppliers: '' })
    expect((await post(path, body)).status).toBe(200)
  })

  const ids = (count: number): string =>
    JSON.stringify({ ...request, pick_up_points: Array.from({ length: count }, (_, at) => at + 1) })
  const wrong: Array<[string, string | undefined, Record<string, string[]>]> = [
    ['nothing', undefined, { article: ['The article field is required.'] }],
    ['an empty object', '{}', { article: ['The article field is required.'] }],
    ['an empty article', JSON.stringify({ ...request, article: ' ' }), { article: ['The article field is required.'] }],
    [
      'an article of 5 KB',
      JSON.stringify({ ...request, article: 'x'.repeat(5_000) }),
      { article: ['The article must not be greater than 191 characters.'] },
    ],
    [
      'an article that is an object',
      JSON.stringify({ ...request, article: { $gt: '' } }),
      { article: ['The article must be a string.'] },
    ],
    [
      'a point that is text',
      JSON.stringify({ ...request, pick_up_points: ['1'] }),
      { 'pick_up_points.0': ['The pick_up_points.0 must be an integer.'] },
    ],
    [
      'a point that is an object',
      JSON.stringify({ ...request, pick_up_points: [{}] }),
      { 'pick_up_points.0': ['The pick_up_points.0 must be an integer.'] },
    ],
    ['10,000 points', ids(10_000), { pick_up_points: ['The pick_up_points must not have more than 1000 items.'] }],
  ]
  it.each(wrong)('%s is 422 (bad-inputs.md#input-60)', async (_what, body, errors) => {
    const answer = await post(path, body, body === undefined ? {} : json)
    expect([answer.status, answer.body]).toEqual([
      422,
      { result: false, message: texts.invalid, errors: expect.objectContaining(errors) },
    ])
  })
  it('points that cannot be there are unknown, not wrong', async () => {
    reply = () => ({ result: true, message: 'OK', ...none, suppliers: '' })
    expect(
      (await post(path, JSON.stringify({ ...request, pick_up_points: [0, -1, Number.MAX_SAFE_INTEGER] }))).status,
    ).toBe(200)
  })
  it('accepts 1,000 points', async () => {
    reply = () => ({ result: true, message: 'OK', ...none, suppliers: '' })
    expect((await post(path, ids(1_000))).status).toBe(200)
  })

  it.each([
    ['broken JSON', '{', json, 400, texts.malformedJson],
    [
      'another type',
      JSON.stringify(request),
      { 'content-type': 'text/plain' },
      415,
      'The media type must be application/json. Send it in the header Content-Type.',
    ],
    [
      'no type',
      JSON.stringify(request),
      {},
      415,
      'The media type must be application/json. Send it in the header Content-Type.',
    ],
    [
      'more than 1 MiB',
      `"${'x'.repeat(1024 * 1024)}"`,
      json,
      413,
      'The request body must not be greater than 1048576 bytes. Send it in several requests.',
    ],
  ])('%s', async (_what, body, headers, status, message) => {
    const answer = await post(path, body, headers)
    expect([answer.status, answer.body]).toEqual([status, { result: false, message }])
  })
  it.each([
    ['UNAVAILABLE', 503, texts.unavailable],
    ['OVERLOADED', 503, texts.unavailable],
    ['TIMEOUT', 504, texts.timeout],
    ['INTERNAL', 500, texts.internal],
  ] as const)('a search that says %s', async (code, status, message) => {
    reply = () => new AppError(code, 'inner words')
    const answer = await post(path, JSON.stringify(request))
    expect([answer.status, answer.body]).toEqual([status, { result: false, message }])
    expect(answer.headers['retry-after'] !== undefined).toBe(status === 503)
  })
})

describe('POST /get-parts', () => {
  it.each([
    ['none', { article: 'x' }, { brands: ['The brands field is required.'] }],
    ['an empty list', { article: 'x', brands: [] }, { brands: ['The brands field is required.'] }],
    ['text', { article: 'x', brands: 'BOSCH' }, { brands: ['The brands must be an array.'] }],
    [
      '1,000 names',
      { article: 'x', brands: Array.from({ length: 1_000 }, () => 'B') },
      { brands: ['The brands must not have more than 100 items.'] },
    ],
    ['a blank name', { article: 'x', brands: ['B', ' '] }, { 'brands.1': ['The brands.1 field is required.'] }],
  ])('brands: %s is 422 (bad-inputs.md#input-61)', async (_what, request, errors) => {
    const answer = await post('/get-parts', JSON.stringify(request))
    expect([answer.status, answer.body]).toEqual([422, { result: false, message: texts.invalid, errors }])
  })
})

describe('POST /get-price-list-status', () => {
  const INVALID = JSON.stringify({
    message: 'The given data was invalid.',
    errors: { task_id: ['The selected task_id is invalid.'] },
  })
  it.each([
    undefined,
    '',
    '{}',
    '[]',
    'null',
    '5',
    '"5"',
    '{"task_id":null}',
    '{"task_id":"5"}',
    '{"task_id":5.5}',
    '{"task_id":-1}',
    '{"task_id":0}',
    '{"task_id":1152921504606846976}',
    '{"task_id":1e400}',
    '{"task_id":{"$gt":0}}',
    '{"task_id":[5]}',
    '{"task_id":true}',
    '{"__proto__":{"task_id":5}}',
    '{"Task_id":5}',
  ])('%s is the exact 422 without a request to a service (bad-inputs.md#input-58)', async (body) => {
    const answer = await post('/get-price-list-status', body, body === undefined || body === '' ? {} : json)
    expect([answer.status, answer.text]).toEqual([422, INVALID])
    expect(stub.asked).toEqual([])
  })
  it('an unknown task too (bad-inputs.md#input-58)', async () => {
    reply = () => new AppError('NOT_FOUND', 'Not found.')
    const answer = await post('/get-price-list-status', '{"task_id":5}')
    expect([answer.status, answer.text]).toEqual([422, INVALID])
  })
  it('a task: 200 with the documented fields', async () => {
    reply = () => importTask
    const answer = await post('/get-price-list-status', '{"task_id":41}')
    expect([answer.status, answer.text]).toEqual([
      200,
      JSON.stringify({ result: true, message: 'OK', task: importTask }),
    ])
    expect(stub.asked.map(({ subject, body }) => [subject, body])).toEqual([
      ['pricing-import.tasks.status', '{"id":41}'],
    ])
  })
  it('the locale of the administrator travels with the question', async () => {
    reply = () => importTask
    await stub.administration.patch({ admin_locale: 'ru' })
    await post('/get-price-list-status', '{"task_id":41}')
    expect(stub.asked[0]?.settings).toMatchObject({ admin_locale: 'ru' })
  })
  it.each([
    ['{', json, 400],
    ['{"task_id":41}', { 'content-type': 'text/plain' }, 415],
    ['{"task_id":41}', { ...json, 'content-encoding': 'br' }, 415],
  ])('%s is refused as everywhere', async (body, headers, status) => {
    const answer = await post('/get-price-list-status', body, headers)
    expect([answer.status, answer.body]).toMatchObject([status, { result: false }])
  })
  it.each([
    ['UNAVAILABLE', 503],
    ['TIMEOUT', 504],
  ] as const)('a service that says %s', async (code, status) => {
    reply = () => new AppError(code, 'x')
    expect((await post('/get-price-list-status', '{"task_id":41}')).status).toBe(status)
  })
})

describe('404 and 405 come after authentication', () => {
  it.each(['/get-pick-up-points', '/get-brands', '/get-parts', '/upload-price-list', '/get-price-list-status'])(
    '405: GET %s',
    async (path) => {
      const answer = await stub.ask({ url: `/api/b2b${path}`, headers: { authorization: `Bearer ${token}` } })
      expect([answer.statusCode, answer.headers.allow, answer.json()]).toEqual([
        405,
        'POST',
        { result: false, message: 'Method not allowed.' },
      ])
      expect((await stub.ask({ url: `/api/b2b${path}` })).statusCode).toBe(401)
    },
  )
})

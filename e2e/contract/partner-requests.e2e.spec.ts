import { describe, expect, it } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import { converse } from '../testing/raw-socket.js'
import { refusal, said, violations } from '../testing/partner.js'
import { usePartner } from '../testing/contract-product.js'

const json = { 'content-type': 'application/json' }
const MALFORMED = refusal(400, 'The request body is not valid JSON.')
const missing = (name: string) => [`The ${name} field is required.`]

/**
 * What is answered before a body means anything, on the endpoints of partners that read JSON.
 */
const open = usePartner()

describe('the form of a partner request', () => {
  // partners.md#pick-up-points-1, rules.md#empty-bodies
  it.each<[string, string | Buffer | undefined, Record<string, string>]>([
    ['nothing', undefined, {}],
    ['broken JSON', '{', json],
    ['XML', '<x/>', { 'content-type': 'text/xml' }],
    ['bytes without a type', Buffer.from([0, 255]), {}],
    ['a form without boundary', 'x', { 'content-type': 'multipart/form-data' }],
    ['a compressed body', gzipSync('{}'), { ...json, 'content-encoding': 'gzip' }],
    ['2 MB', 'x'.repeat(2_000_000), json],
  ])('get-pick-up-points ignores its body: %s', async (_what, body, headers) => {
    const answer = await open().post('/get-pick-up-points', body, headers)
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['result', 'message', 'pick_up_points']])
  })

  const readers = ['/get-brands', '/get-parts', '/get-price-list-status']
  describe.each(readers)('POST %s (rules.md#error-codes)', (path) => {
    it.each<[string, string | Buffer]>([
      ['half', '{"article":"X"'],
      ['a blank', ' '],
      ['NaN', '{"article":NaN}'],
      ['a comment', '{}//x'],
      ['single quotes', "{'article':'X'}"],
      ['a trailing comma', '{"article":"X",}'],
      ['two values', '{}{}'],
      ['a form', 'article=X'],
      ['a raw NUL', '{"article":"a\u0000b"}'],
      ['a leading zero', '{"task_id":05}'],
      ['a sign', '{"task_id":+5}'],
      ['hexadecimal', '{"task_id":0x5}'],
      ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
      ['half a character', Buffer.from([0x22, 0xd0, 0x22])],
      ['UTF-16', Buffer.from('{}', 'utf16le')],
      ['100,000 nested lists that do not end', '['.repeat(100_000)],
    ])('400 to %s', async (_what, body) => {
      expect(said(await open().post(path, body, json))).toEqual(MALFORMED)
    })
    it.each<Record<string, string>>([
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'text/json' },
      { 'content-type': 'application/jsonx' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/json, text/plain' },
    ])('415 to %j', async (headers) => {
      expect(said(await open().post(path, '{}', headers))).toEqual(
        refusal(415, 'The media type must be application/json. Send it in the header Content-Type.'),
      )
    })
    it.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])('415 to the encoding %s', async (encoding) => {
      expect(said(await open().post(path, gzipSync('{}'), { ...json, 'content-encoding': encoding }))).toEqual(
        refusal(415, 'The content encoding is not supported. Send the body uncompressed, without Content-Encoding.'),
      )
    })
    it('413 above 1 MiB', async () => {
      expect(said(await open().post(path, `{"x":"${'x'.repeat(1024 * 1024)}"}`, json))).toEqual(
        refusal(413, 'The request body must not be greater than 1048576 bytes. Send it in several requests.'),
      )
    })
    it.each([
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json ;x=y',
      'application/json; charset=windows-1251',
    ])('reads %s as JSON in UTF-8', async (type) => {
      expect((await open().post(path, '{}', { 'content-type': type })).status).toBe(422)
    })
    it('says where a body stops being JSON, on request alone (rules.md#body-error)', async () => {
      const read = async (headers: Record<string, string>) =>
        (await open().post(path, '{oops', { ...json, ...headers })).body as object
      expect(await read({ 'x-result-details': '0' })).toEqual(MALFORMED[1])
      expect(await read({ 'x-result-details': '1' })).toMatchObject({ body_error: { code: 'not_json', byte: 1 } })
    })
    it('an empty body of any type is {} (rules.md#empty-bodies)', async () => {
      const empty = (await open().post(path, '{}', json)).text
      // without a length the client sends chunks
      const forms: Record<string, string>[] = [{}, json, { 'content-type': 'text/plain' }, { 'content-length': '0' }]
      for (const headers of forms) expect((await open().post(path, undefined, headers)).text).toBe(empty)
      for (const body of ['[]', 'null', '5', '"x"', 'true', '[{"article":"X","brands":["B"],"task_id":1}]'])
        expect((await open().post(path, body, json)).text).toBe(empty)
    })
    it('returns 400 for an incomplete body', async () => {
      const head =
        `POST /api/b2b${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${open().token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
      const port = Number(new URL(open().shop.product.url).port)
      const whole = await converse(port, head, () => undefined, 2_000)
      expect(whole.text).toMatch(/^HTTP\/1\.1 422 /)
      const bad = await converse(
        port,
        head.replace('Content-Length: 7', 'Transfer-Encoding: chunked'),
        () => undefined,
        5_000,
      )
      expect(bad.text).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"result":false,"message":"[^"]+"\}$/)
    })
  })

  describe.each([
    ['/get-brands', {}],
    ['/get-parts', { brands: ['B'] }],
  ])('the fields of %s (partners.md#search-bodies)', (path, rest) => {
    const post = (body: object | string) =>
      open().post(path, typeof body === 'string' ? body : { ...rest, ...body }, json)
    it.each<[string, unknown, string]>([
      ['missing', undefined, 'The article field is required.'],
      ['null', null, 'The article field is required.'],
      ['empty', '', 'The article field is required.'],
      ['blank', ' \t\u00a0\u3000', 'The article field is required.'],
      ['a number', 5, 'The article must be a string.'],
      ['a boolean', true, 'The article must be a string.'],
      ['a list', ['X'], 'The article must be a string.'],
      ['an object', { $gt: '' }, 'The article must be a string.'],
      ['192 characters', 'x'.repeat(192), 'The article must not be greater than 191 characters.'],
      ['192 characters of two units', '😀'.repeat(192), 'The article must not be greater than 191 characters.'],
      ['with NUL', 'a\u0000', 'The article must not contain NUL characters or lone surrogates.'],
      ['half a character', '\ud800', 'The article must not contain NUL characters or lone surrogates.'],
    ])('article %s: 422', async (_what, article, text) => {
      expect(said(await post({ article }))).toEqual(violations({ article: [text] }))
    })
    it.each([
      ['191 characters', 'x'.repeat(191)],
      ['191 of two units', '😀'.repeat(191)],
      ['neither letter nor digit', '---'],
      ['a quote', '"\\'],
      ['an operator', '{"$ne":1}'],
    ])('article of %s: 200', async (_what, article) => {
      expect((await post({ article })).body).toMatchObject({ result: true, message: 'OK' })
    })
    it.each<[unknown, object]>([
      ['1', { pick_up_points: ['The pick_up_points must be an array.'] }],
      [1, { pick_up_points: ['The pick_up_points must be an array.'] }],
      [{}, { pick_up_points: ['The pick_up_points must be an array.'] }],
      [false, { pick_up_points: ['The pick_up_points must be an array.'] }],
      ['', { pick_up_points: ['The pick_up_points must be an array.'] }],
      [['1'], { 'pick_up_points.0': ['The pick_up_points.0 must be an integer.'] }],
      [
        [1, 1.5, {}],
        {
          'pick_up_points.1': ['The pick_up_points.1 must be an integer.'],
          'pick_up_points.2': ['The pick_up_points.2 must be an integer.'],
        },
      ],
      [[null], { 'pick_up_points.0': missing('pick_up_points.0') }],
      [[2 ** 53], { 'pick_up_points.0': ['The pick_up_points.0 must be an integer.'] }],
      [
        Array.from({ length: 1_001 }, (_, at) => at),
        { pick_up_points: ['The pick_up_points must not have more than 1000 items.'] },
      ],
    ])('pick_up_points %j: 422', async (points, errors) => {
      expect(said(await post({ article: 'X', pick_up_points: points }))).toEqual(violations(errors))
    })
    it('accepts 1,000 points, any unknown points, and integers written as 1.0 or 1e0', async () => {
      for (const points of [Array.from({ length: 1_000 }, (_, at) => at + 500_000), [0, -1, Number.MAX_SAFE_INTEGER]])
        expect((await post({ article: 'X', pick_up_points: points })).status).toBe(200)
      expect((await post('{"article":"X","brands":["B"],"pick_up_points":[1.0,1e0]}')).status).toBe(200)
    })
    // rules.md#values-unknown
    it('accepts unknown fields, dangerous names, a byte order mark and a duplicate name', async () => {
      for (const body of [
        '{"article":"X","brands":["B"],"__proto__":{"article":5},"constructor":1,"toString":2,"extra":[]}',
        '\ufeff{"article":"X","brands":["B"]}',
        '{"article":5,"brands":["B"],"article":"X"}',
      ])
        expect((await post(body)).status).toBe(200)
      for (const body of ['{"__proto__":{"article":"X"},"brands":["B"]}', '{"Article":"X","brands":["B"]}'])
        expect(said(await post(body))).toEqual(violations({ article: missing('article') }))
    })
  })

  it.each<[unknown, object]>([
    [undefined, { brands: missing('brands') }],
    [null, { brands: missing('brands') }],
    [[], { brands: missing('brands') }],
    ['B', { brands: ['The brands must be an array.'] }],
    [{ 0: 'B' }, { brands: ['The brands must be an array.'] }],
    [
      ['B', ' ', 5, null],
      {
        'brands.1': missing('brands.1'),
        'brands.2': ['The brands.2 must be a string.'],
        'brands.3': missing('brands.3'),
      },
    ],
    [['b'.repeat(192)], { 'brands.0': ['The brands.0 must not be greater than 191 characters.'] }],
    [['B\u0000'], { 'brands.0': ['The brands.0 must not contain NUL characters or lone surrogates.'] }],
    [Array.from({ length: 101 }, () => 'B'), { brands: ['The brands must not have more than 100 items.'] }],
  ])('get-parts: brands %j: 422', async (brands, errors) => {
    expect(said(await open().post('/get-parts', { article: 'X', brands }))).toEqual(violations(errors))
  })
  it('get-parts: lists all violations; accepts 100 brands', async () => {
    expect(said(await open().post('/get-parts', { article: 5, pick_up_points: 'x' }))).toEqual(
      violations({
        article: ['The article must be a string.'],
        brands: missing('brands'),
        pick_up_points: ['The pick_up_points must be an array.'],
      }),
    )
    expect(
      (await open().post('/get-parts', { article: 'X', brands: Array.from({ length: 100 }, (_, at) => `B${at}`) }))
        .status,
    ).toBe(200)
  })
})

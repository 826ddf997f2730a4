import { describe, expect, it } from '@jest/globals'
import { connect } from 'node:net'
import type { UpsertResult } from '../testing/shop.js'
import { useShop } from '../testing/contract-product.js'

const json = { 'content-type': 'application/json' }
const INVALID = 'The given data was invalid.'

interface Invalid {
  message: string
  errors: Record<string, string[]>
}

/**
 * What is answered before a body means anything; bad inputs of docs/spec/bad-inputs.md.
 */
const open = useShop()

describe('the form of a request', () => {
  const send = (body: string | Buffer, headers: Record<string, string> = json, path = '/categories/batch-upsert') =>
    open().erp.send<Invalid>('POST', path, { body, headers })

  // rules.md#error-codes
  it('answers 404 on an unknown path and 405 with Allow on a wrong method, as {message}', async () => {
    const unknown = await open().erp.get<Invalid>('/nowhere')
    expect([unknown.status, Object.keys(unknown.body)]).toEqual([404, ['message']])
    for (const [method, path] of [
      ['GET', '/categories/batch-upsert'],
      ['PUT', '/products/delete'],
      ['DELETE', '/stocks/batch-update'],
      ['POST', '/ping'],
    ] as const) {
      const answer = await open().erp.send<Invalid>(method, path)
      expect([path, answer.status, Object.keys(answer.body)]).toEqual([path, 405, ['message']])
    }
  })

  it.each(['/ping/', '//ping', '/%70ing', '/PING', '/ping;x', '/./ping'])(
    'returns 401 on %s without a token',
    async (path) => {
      expect((await open().erp.as({}).get(path)).status).toBe(401)
    },
  )

  // rules.md#error-codes
  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    {},
    { ...json, 'content-encoding': 'gzip' },
  ])('answers 415 to %j', async (headers) => {
    const answer = await send('[]', headers as Record<string, string>)
    expect([answer.status, Object.keys(answer.body)]).toEqual([415, ['message']])
  })

  it.each(['application/json; charset=utf-8', 'application/json;', 'application/json\t; x', 'Application/JSON'])(
    'reads %j as JSON, and validates it',
    async (type) => {
      expect((await send('[]', { 'content-type': type })).status).toBe(200)
      expect((await send('[{}]', { 'content-type': type })).status).toBe(422)
    },
  )

  // rules.md#error-codes
  it.each([
    ['nothing', ''],
    ['half', '{"categories":['],
    ['NaN', '[NaN]'],
    ['a comment', '[]//x'],
    ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d])],
  ])('answers 400 to %s', async (_what, body) => {
    const answer = await send(body)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['message']])
  })

  it.each([
    ['/categories/batch-upsert', 'categories'],
    ['/products/batch-upsert', 'products'],
    ['/stocks/batch-update', 'stocks'],
    ['/prices/batch-update', 'prices'],
    ['/categories/delete', 'ids_erp'],
    ['/products/delete', 'ids_erp'],
  ])('answers 422 on %s when it is neither form', async (path, key) => {
    const bodies = [
      '{}',
      `{"${key}":{}}`,
      `{"${key}":null}`,
      `{"${key}":"abc"}`,
      '"x"',
      '5',
      'null',
      ...(key === 'ids_erp' ? ['[]', '["a"]', '{"ids_erp":[{"$gt":""}]}', '{"ids_erp":[5]}'] : []),
    ]
    for (const body of bodies) {
      const answer = await send(body, json, path)
      expect([body, answer.status, answer.body.message]).toEqual([body, 422, INVALID])
      expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^${key}`))
    }
  })

  it('answers an empty list with zeros (bad-inputs.md#input-17)', async () => {
    for (const [path, key] of [
      ['/categories/batch-upsert', 'categories'],
      ['/products/batch-upsert', 'products'],
    ]) {
      for (const body of ['[]', `{"${key}":[]}`]) {
        expect((await send(body, json, path)).body).toEqual({ processed: 0, created: 0, updated: 0, errors: [] })
      }
    }
    expect((await send('[]', json, '/stocks/batch-update')).body).toEqual({ processed: 0, updated: 0, errors: [] })
    expect((await send('{"ids_erp":[]}', json, '/products/delete')).body).toEqual({
      requested: 0,
      deactivated: 0,
      not_found: [],
    })
  })

  // rules.md#values-unknown, bad-inputs.md#input-13
  it('ignores unknown fields, including dangerous names', async () => {
    const answer = await open().erp.post<UpsertResult>(
      '/categories/batch-upsert',
      '{"categories":[{"id_erp":"form-1","name":"Odd","__proto__":{"name":"Evil"},' +
        '"constructor":{"prototype":{"x":1}},"$set":{"name":"x"}}],"extra":1}',
      json,
    )
    expect([answer.status, answer.body]).toEqual([200, { processed: 1, created: 1, updated: 0, errors: [] }])
    expect((await open().categoryOf('form-1')).name).toBe('Odd')
  })

  it.each([
    ['[', 500_000],
    ['{"a":', 300_000],
  ])('answers a body of %s nested %d deep with 400, or 422 when it is well formed, at once', async (opening, depth) => {
    const closing = opening === '[' ? ']' : '}'
    const value = opening === '[' ? '' : '1'
    for (const [body, status] of [
      [opening.repeat(depth), 400],
      [opening.repeat(depth) + value + closing.repeat(depth), 422],
    ] as const) {
      const answer = await send(body)
      expect(answer.status).toBe(status)
      expect(answer.ms).toBeLessThan(10_000)
    }
  })

  it('lists the first 1,000 violations (rules.md#violations)', async () => {
    const answer = await open().erp.post<Invalid>(
      '/products/batch-upsert',
      Array.from({ length: 600 }, () => ({})),
    )
    expect(answer.status).toBe(422)
    expect(Object.values(answer.body.errors).flat()).toHaveLength(1_000)
  })

  // rules.md#error-codes
  it('answers a body above 8 MiB with 413 to a client that is still sending (rules.md#unread-bodies)', async () => {
    const answer = await open().erp.send<Invalid>('POST', '/products/batch-upsert', {
      body: `["${'x'.repeat(8 * 1024 * 1024)}"]`,
      headers: json,
    })
    const message = `The request body must not be greater than ${8 * 1024 * 1024} bytes. Send it in several requests.`
    expect([answer.status, answer.body]).toEqual([413, { message }])
  })

  it('accepts a body just under 8 MiB', async () => {
    const text = 'я'.repeat(4 * 1024 * 1024 - 200)
    const answer = await open().erp.post<UpsertResult>('/categories/batch-upsert', [
      { id_erp: 'form-8m', name: 'Big', description: text },
    ])
    expect([answer.status, answer.body?.created]).toEqual([200, 1])
    expect((await open().categoryOf('form-8m')).description).toHaveLength(text.length)
  })

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]', 400],
    ['100 KB of header', `X-Long: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['a length that is no number', 'Content-Length: x\r\n\r\n', 400],
  ])('refuses %s and stays available', async (_what, rest, status) => {
    const { hostname, port } = new URL(open().product.url)
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname)
      let got = ''
      socket
        .setEncoding('utf8')
        .on('data', (part: string) => (got += part))
        .on('error', () => resolve(got))
        .on('close', () => resolve(got))
      socket.write(
        'POST /api/erp/categories/batch-upsert HTTP/1.1\r\nHost: x\r\nConnection: close\r\n' +
          `Authorization: Bearer ${open().erpToken}\r\nContent-Type: application/json\r\n${rest}`,
      )
    })
    expect(Number(text.split(' ')[1])).toBe(status)
    expect((await open().erp.get('/ping')).status).toBe(200)
  })

  it('sends the security headers, and none that names the server software', async () => {
    const { headers } = await open().erp.get('/ping')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['server']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

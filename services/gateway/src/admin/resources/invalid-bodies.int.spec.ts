import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunningGateway } from '../../start.js'
import { administer, openRealStage } from '../../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: RunningGateway

beforeAll(async () => {
  stage = await openRealStage('invalid_bodies')
  gateway = await stage.startGateway()
})
afterAll(() => stage.close())

// no service is there to be asked: a request to one would be answered 503
describe('answers 422 without a request to a service', () => {
  const cases: Array<[string, string, unknown, Record<string, string[]>]> = [
    ['POST', '/pick-up-points', {}, { name: ['The name field is required.'] }],
    ['POST', '/pick-up-points', { name: '  ' }, { name: ['The name field is required.'] }],
    [
      'POST',
      '/pick-up-points',
      { name: 'x'.repeat(192) },
      { name: ['The name must not be greater than 191 characters.'] },
    ],
    [
      'PATCH',
      '/pick-up-points/4',
      { storage_ids: ['1'], is_active: 1 },
      {
        'storage_ids.0': ['The storage_ids.0 must be an integer.'],
        is_active: ['The is_active field must be true or false.'],
      },
    ],
    [
      'POST',
      '/storages',
      { name: 'S', supplier: { kind: 'http', base_url: 'ftp://x' } },
      { 'supplier.base_url': ['The base_url must be an http or https URL.'] },
    ],
    [
      'POST',
      '/storages',
      { name: 'S', supplier: { kind: 'http', base_url: 'https://x', timeout_ms: 10_001 } },
      { 'supplier.timeout_ms': ['The timeout_ms must not be greater than 10000.'] },
    ],
    [
      'POST',
      '/price-lists',
      { name: 'L', storage_id: 5, format: { columns: { article: 0 } }, mode: 'both' },
      {
        'format.columns.article': ['The article is invalid.'],
        mode: ['The selected mode is invalid. It must be replace or merge.'],
      },
    ],
    [
      'POST',
      '/price-lists',
      { name: 'L', storage_id: 5, sources: [{ kind: 'gopher' }] },
      { 'sources.0.kind': ['The selected kind is invalid. It must be url, ftp or email.'] },
    ],
    ['POST', '/price-lists/7/rollback', { version: '38' }, { version: ['The version must be an integer.'] }],
    ['POST', '/price-lists/7/rollback', [], { body: ['The body must be an object.'] }],
    [
      'POST',
      '/brand-synonyms',
      { synonyms: [''] },
      { canonical: ['The canonical field is required.'], 'synonyms.0': ['The synonyms.0 field is required.'] },
    ],
    ['POST', '/storages/5/test', {}, { article: ['The article field is required.'] }],
    ['PATCH', '/supplies/6', { quantity: 5 }, { quantity: ['The quantity field is unknown.'] }],
    [
      'PATCH',
      '/supplies/6',
      { selling_price: -1, reserved: 1.5 },
      { selling_price: ['The selling_price must be at least 0.'], reserved: ['The reserved must be an integer.'] },
    ],
  ]
  it.each(cases)('%s %s %j', async (method, path, body, errors) => {
    expect(await administer(gateway.port, method, path, body)).toEqual({
      status: 422,
      body: { message: 'The given data was invalid.', errors, violations: expect.any(Array) },
    })
    expect((await administer(gateway.port, 'GET', '/audit')).body).toMatchObject({ data: [] })
  })
})

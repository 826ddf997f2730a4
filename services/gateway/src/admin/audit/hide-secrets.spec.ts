import { expect, it } from '@jest/globals'
import { hideSecrets } from './hide-secrets.js'

it('header values never reach the audit log', () => {
  const body = {
    name: 'North',
    supplier: {
      kind: 'http',
      base_url: 'https://api.example/v1',
      headers: { 'X-Api-Key': 'top-secret', 'a.b$c': 'other-secret' },
    },
  }
  expect(hideSecrets(body)).toEqual({
    name: 'North',
    supplier: { kind: 'http', base_url: 'https://api.example/v1', headers: { 'X-Api-Key': '***', 'a.b$c': '***' } },
  })
  expect(body.supplier.headers['X-Api-Key']).toBe('top-secret')
})

it('passwords of sources never reach the audit log', () => {
  expect(hideSecrets({ sources: [{ kind: 'url', username: 'shop', password: 'top-secret' }] })).toEqual({
    sources: [{ kind: 'url', username: 'shop', password: '***' }],
  })
})

it('secret parameters of an address never reach the audit log, nor a viewer (admin.md#secrets)', () => {
  const address = (key: string, token: string): string => `https://a.example/p?shop=7&apiKey=${key}&Token=${token}#top`
  const hidden = { url: address('***', '***') }
  expect(hideSecrets({ base_url: address('a', 'b'), sources: [{ url: address('c', '') }] })).toEqual({
    base_url: hidden.url,
    sources: [hidden],
  })
  expect(hideSecrets({ url: 'not an address?password' })).toEqual({ url: 'not an address?password' })
})

it('everything else stays as it was sent', () => {
  const body = {
    name: 'x',
    storage_ids: [1, 2],
    country: null,
    supplier: { kind: 'http', base_url: 'https://api.example/v1' },
  }
  expect(hideSecrets(body)).toEqual(body)
})

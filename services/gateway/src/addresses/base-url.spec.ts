import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { parseAddressList } from '@partsbus/platform/net/address-list'
import { requestBaseUrl, withBaseUrl } from './base-url.js'

const request = (from: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress: from }, headers }) as unknown as IncomingMessage

describe('how the outside reaches the gateway', () => {
  const proxies = parseAddressList(['10.0.0.0/8'])
  const forwarded = { host: 'inner:8080', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'parts.example.org' }
  const cases: Array<[string, string, Record<string, string>, string | undefined, string]> = [
    ['PUBLIC_URL above all', '10.0.0.1', forwarded, 'https://public.example', 'https://public.example'],
    ['its own scheme and host', '192.0.2.1', { host: 'localhost:8080' }, undefined, 'http://localhost:8080'],
    ['what a trusted proxy says', '10.0.0.1', forwarded, undefined, 'https://parts.example.org'],
    ['nobody else is believed', '192.0.2.1', forwarded, undefined, 'http://inner:8080'],
    [
      'of several values the nearest one',
      '10.0.0.1',
      { ...forwarded, 'x-forwarded-host': 'evil.example, parts.example.org', 'x-forwarded-proto': 'http, https' },
      undefined,
      'https://parts.example.org',
    ],
    ['an IPv6 host', '192.0.2.1', { host: '[::1]:8080' }, undefined, 'http://[::1]:8080'],
    ['a host that is none', '192.0.2.1', { host: 'a"><script>' }, undefined, ''],
    ['no host', '192.0.2.1', {}, undefined, ''],
    [
      'a scheme that is none',
      '10.0.0.1',
      { ...forwarded, 'x-forwarded-proto': 'javascript' },
      undefined,
      'http://parts.example.org',
    ],
  ]
  it.each(cases)('%s', (_, from, headers, publicUrl, expected) => {
    expect(requestBaseUrl(request(from, headers), publicUrl, proxies)).toBe(expected)
  })
})

describe('image paths get the base URL as a prefix', () => {
  const base = (): string => 'https://p.example'
  it('of one item', () => {
    expect(withBaseUrl({ id: 1, media: [{ id: 7, url: '/media/7/a.jpg' }] }, base)).toEqual({
      id: 1,
      media: [{ id: 7, url: 'https://p.example/media/7/a.jpg' }],
    })
  })
  it('of a list', () => {
    expect(withBaseUrl({ data: [{ media: [{ url: '/media/7/a.jpg' }] }, { media: [] }], total: 2 }, base)).toEqual({
      data: [{ media: [{ url: 'https://p.example/media/7/a.jpg' }] }, { media: [] }],
      total: 2,
    })
  })
  it.each([[{ data: [{ id: 31, url: 'https://erp.example/x.jpg' }] }], [{ id: 1, name: 'x' }], [{}]])(
    'what has none stays: %j',
    (result) => {
      expect(withBaseUrl(result, base)).toEqual(result)
    },
  )
})

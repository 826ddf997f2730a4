import { describe, expect, it } from '@jest/globals'
import { parseServerAddress } from './server-address.js'

describe('parseServerAddress', () => {
  it.each([
    ['nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
    ['127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
    ['tls://bus:4222, tls://other:4222', { servers: ['tls://bus:4222', 'tls://other:4222'] }],
    ['nats://shop:s3cret@bus:4222/', { servers: ['nats://bus:4222'], user: 'shop', pass: 's3cret' }],
    ['nats://shop:p%40ss%3A1@bus:4222', { servers: ['nats://bus:4222'], user: 'shop', pass: 'p@ss:1' }],
    ['nats://shop@bus', { servers: ['nats://bus'], user: 'shop', pass: '' }],
    [
      'nats://a:1,nats://shop:one@b:2,nats://shop:two@c:3',
      { servers: ['nats://a:1', 'nats://b:2', 'nats://c:3'], user: 'shop', pass: 'one' },
    ],
  ])('%s', (url, address) => {
    expect(parseServerAddress(url)).toEqual(address)
  })
})

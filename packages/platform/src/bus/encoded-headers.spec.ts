import { describe, expect, it } from '@jest/globals'
import { encodeHeaders } from './encoded-headers.js'

describe('printed headers', () => {
  it('stand as they go over the wire', () => {
    const { encode } = encodeHeaders([
      ['x-request-id', 'a-1'],
      ['x-timeout-ms', '300'],
    ]) as unknown as { encode(): Uint8Array }
    expect(Buffer.from(encode()).toString()).toBe('NATS/1.0\r\nx-request-id: a-1\r\nx-timeout-ms: 300\r\n\r\n')
  })
  it.each(['a\r\nx-error: OK', 'a\nb', 'a\rb'])('hold no line of their own: %j', (value) => {
    expect(() => encodeHeaders([['x-request-id', value]])).toThrow('x-request-id')
  })
})

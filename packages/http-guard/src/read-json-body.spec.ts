import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { readJsonBytes } from './read-json-body.js'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

function open(headers: Record<string, string> = {}, limit = 10) {
  const body = new PassThrough()
  const raw = Object.assign(body, { headers }) as unknown as IncomingMessage
  const held: number[] = []
  const read = readJsonBytes(
    { raw, sentMediaType: 'application/json' },
    { raw: {} as ServerResponse },
    (bytes) => held.push(bytes),
    limit,
  )
  return { body, held, read }
}
const refused = (code: string) => expect.objectContaining({ code })

describe('reading a body', () => {
  it('returns the bytes as they were sent, and counts each chunk as it arrives', async () => {
    const { body, held, read } = open({ 'content-length': '6' })
    body.write('[1,')
    body.end('2]\n')
    expect((await read).toString()).toBe('[1,2]\n')
    expect(held).toEqual([3, 3])
  })

  it.each<[string, Record<string, string>]>([
    ['a known', { 'content-length': '200000' }],
    ['no', { 'transfer-encoding': 'chunked' }],
  ])('gives the bytes of many chunks in their order, with %s length', async (_what, headers) => {
    const sent = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7 + (at >> 8)) % 251))
    const { body, read } = open(headers, 300_000)
    for (let at = 0; at < sent.length; at += 7_001) body.write(sent.subarray(at, at + 7_001))
    body.end()
    expect((await read).equals(sent)).toBe(true)
  })

  it('counts what arrives when no length was announced', async () => {
    const { body, held, read } = open({ 'transfer-encoding': 'chunked' })
    body.end('[1]')
    await read
    expect(held.reduce((sum, bytes) => sum + bytes)).toBe(3)
  })

  it('refuses a length above the limit before it reads', async () => {
    const { body, read } = open({ 'content-length': '11' })
    await expect(read).rejects.toEqual(refused('TOO_LARGE'))
    expect(body.listenerCount('data')).toBe(0)
  })

  it('stops at the limit when the length was not announced', async () => {
    const { body, read } = open({ 'transfer-encoding': 'chunked' })
    body.write('0123456789')
    body.write('0')
    await expect(read).rejects.toEqual(refused('TOO_LARGE'))
    expect(body.isPaused()).toBe(true)
  })

  it('refuses a body that has not arrived after 30 s', async () => {
    const { body, read } = open({ 'content-length': '6' })
    body.write('[1')
    const outcome = expect(read).rejects.toEqual(refused('TOO_SLOW'))
    await jest.advanceTimersByTimeAsync(29_999)
    body.write(',')
    await jest.advanceTimersByTimeAsync(1)
    await outcome
  })

  it('a body in chunks that may be empty is judged by its media type when something comes', async () => {
    const empty = Buffer.from('{}')
    const openChunks = () => {
      const body = new PassThrough()
      const raw = Object.assign(body, { headers: { 'transfer-encoding': 'chunked' } }) as unknown as IncomingMessage
      return {
        body,
        read: readJsonBytes({ raw, sentMediaType: undefined }, { raw: {} as ServerResponse }, () => undefined, 10, {
          whenEmpty: empty,
        }),
      }
    }
    const none = openChunks()
    none.body.end()
    expect(await none.read).toBe(empty)
    const some = openChunks()
    some.body.write('{')
    await expect(some.read).rejects.toEqual(refused('UNSUPPORTED_MEDIA_TYPE'))
  })

  it('a body that is cut off is malformed', async () => {
    const { body, read } = open({ 'content-length': '6' })
    body.write('[1')
    const outcome = expect(read).rejects.toEqual(refused('MALFORMED'))
    body.destroy()
    await outcome
  })
})

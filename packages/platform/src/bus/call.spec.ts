import { describe, expect, it } from '@jest/globals'
import { parseJson } from './call.js'

describe('JSON of a request (rules.md#error-codes)', () => {
  it.each([
    ['ASCII', 'filter'],
    ['Latin letters with accents', 'Bougie d’allumage é'],
    ['Cyrillic', 'Фильтр масляный'],
    ['characters outside the basic plane', '🚗𐍈'],
    ['escapes', 'a"\\\n'],
    ['no text', ''],
  ])('is read with %s, with and without a byte order mark', (_what, name) => {
    const json = JSON.stringify([{ name }])
    expect(parseJson(Buffer.from(json))).toEqual([{ name }])
    expect(parseJson(Buffer.from(`\uFEFF${json}`))).toEqual([{ name }])
  })

  it.each([
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a byte order mark alone', Buffer.from([0xef, 0xbb, 0xbf])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused for %s', (_what, bytes) => {
    expect(() => parseJson(bytes)).toThrow(expect.objectContaining({ code: 'MALFORMED' }))
  })

  it.each([
    ['{"a" 1}', { code: 'not_json', byte: 5 }],
    ['\uFEFF{"a" 1}', { code: 'not_json', byte: 8 }],
    [Buffer.from([0x22, 0xc3, 0x28, 0x22]), { code: 'not_utf8', byte: 1 }],
  ])('%j is refused with its first wrong byte (rules.md#body-error)', (body, body_error) => {
    const details = { body_error: expect.objectContaining(body_error) }
    expect(() => parseJson(Buffer.from(body as string))).toThrow(
      expect.objectContaining({ message: 'The request body is not valid JSON.', details }),
    )
  })
})

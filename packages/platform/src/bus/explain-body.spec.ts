import { isUtf8 } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { explainBody } from './explain-body.js'
import { findJsonError } from './find-json-error.js'

describe('the first byte that is wrong (rules.md#body-error)', () => {
  it.each([
    ['{a', 1, 'Byte 1 ("a") is not valid JSON at this position.'],
    ['NaN', 0, 'Byte 0 ("N") is not valid JSON at this position.'],
    ['[] // x', 3, 'Byte 3 ("/") is not valid JSON at this position.'],
    ['[1,]', 3, 'Byte 3 ("]") is not valid JSON at this position.'],
    ['{"a":1,}', 7, 'Byte 7 ("}") is not valid JSON at this position.'],
    ['{"имя" 1}', 10, 'Byte 10 ("1") is not valid JSON at this position.'],
    ['["a\nb"]', 3, 'Byte 3 (0x0A) is not valid JSON at this position.'],
    ['["\\x"]', 3, 'Byte 3 ("x") is not valid JSON at this position.'],
    ['["\\u12g4"]', 6, 'Byte 6 ("g") is not valid JSON at this position.'],
    ['[01]', 2, 'Byte 2 ("1") is not valid JSON at this position.'],
    ['[1.]', 3, 'Byte 3 ("]") is not valid JSON at this position.'],
    ['[1e+]', 4, 'Byte 4 ("]") is not valid JSON at this position.'],
    ['[-]', 2, 'Byte 2 ("]") is not valid JSON at this position.'],
    ['[tru]', 4, 'Byte 4 ("]") is not valid JSON at this position.'],
    ['[1', 2, 'The body ends inside the JSON.'],
    ['"\\u12', 5, 'The body ends inside the JSON.'],
    ['', 0, 'The body is empty.'],
    [' \n', 2, 'The body is empty.'],
  ])('of %j is %i', (body, byte, message) => {
    expect(explainBody(Buffer.from(body))).toEqual({ code: 'not_json', byte, message })
  })

  it('is counted from the start of the body, its byte order mark included', () => {
    expect(explainBody(Buffer.from('\uFEFF[x'), 3)).toMatchObject({ code: 'not_json', byte: 4 })
  })

  it.each([
    ['windows-1251', Buffer.from([0x5b, 0x22, 0xc4, 0xe2, 0x22, 0x5d]), 2, '0xC4'],
    ['an overlong form', Buffer.from([0x22, 0xe0, 0x80, 0x80, 0x22]), 1, '0xE0'],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 1, '0xED'],
    ['a character that is cut off', Buffer.from([0x22, 0xd0]), 1, '0xD0'],
    ['a code point above the last one', Buffer.from([0xf4, 0x90, 0x80, 0x80]), 0, '0xF4'],
  ])('of %s names the encoding', (_what, body, byte, shown) => {
    const message = `Byte ${byte} (${shown}) is not valid UTF-8. Send the body in UTF-8.`
    expect(explainBody(body)).toEqual({ code: 'not_utf8', byte, message })
  })

  it.each([
    [
      'gzip',
      gzipSync('[]'),
      'Byte 1 (0x8B) is not valid UTF-8. The body is compressed with gzip. Send it uncompressed.',
    ],
    [
      'UTF-16 with a byte order mark',
      Buffer.from('\uFEFF[]', 'utf16le'),
      'Byte 0 (0xFF) is not valid UTF-8. Send the body in UTF-8, not in UTF-16.',
    ],
  ])('of %s says what to send instead', (_what, body, message) => {
    expect(explainBody(body)).toMatchObject({ code: 'not_utf8', message })
  })

  it('of UTF-16 without a byte order mark names the encoding, too', () => {
    const message = 'Byte 1 (0x00) is not valid JSON. Send the body in UTF-8, not in UTF-16.'
    expect(explainBody(Buffer.from('[]', 'utf16le'))).toEqual({ code: 'not_json', byte: 1, message })
  })

  it('is found below a million open arrays', () => {
    expect(findJsonError(Buffer.from('['.repeat(1_000_000)))).toBe(1_000_000)
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('it agrees with the parser', () => {
  it('about valid texts', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        expect(explainBody(Buffer.from(JSON.stringify(JSON.parse(text), null, indent)))).toBeUndefined()
      }),
    )
  })

  it('about texts with a change', () => {
    const pieces = fc.constantFrom(...'{}[]",:\\/-+.eE019tfn ul\u0000\n'.split(''))
    fc.assert(
      fc.property(fc.json(), fc.nat(), pieces, (text, at, piece) => {
        const position = at % (text.length + 1)
        const changed = text.slice(0, position) + piece + text.slice(position + 1)
        const found = findJsonError(Buffer.from(changed))
        expect(found === undefined).toBe(parses(changed))
      }),
      { numRuns: 500 },
    )
  })

  it('about UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const explained = explainBody(bytes)
        expect(explained?.code === 'not_utf8').toBe(!isUtf8(bytes))
        if (explained?.code === 'not_utf8') expect(isUtf8(bytes.subarray(0, explained.byte))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

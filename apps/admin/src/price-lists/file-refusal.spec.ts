import { describe, expect, it } from '@jest/globals'
import { fileRefusal } from './file-refusal.js'

const MAX = 52_428_800

describe('fileRefusal', () => {
  it.each([
    ['price.xlsx', MAX, MAX, undefined],
    ['price.xlsx', MAX + 1, MAX, 'too-large'],
    ['price.xlsx', MAX + 1, undefined, undefined],
    ['Прайс.DOCX', 10, MAX, 'document'],
    ['price.doc', 10, undefined, 'document'],
    ['price.pdf', 10, MAX, 'document'],
    ['photo.jpeg', 10, MAX, 'picture'],
    ['doc', 10, MAX, undefined],
    ['price.docx.csv', 10, MAX, undefined],
  ])('%s of %d bytes, at most %s: %s', (name, size, max, refusal) => {
    expect(fileRefusal({ name, size }, { maxBytes: max, head: Uint8Array.of(0x42, 0x72, 0x3b, 0x41) })).toBe(refusal)
  })
  it.each([
    [[0x89, 0x50, 0x4e, 0x47], 'picture'],
    [[0xff, 0xd8, 0xff, 0xe0], 'picture'],
    [[0x25, 0x50, 0x44, 0x46], 'document'],
    [[0x50, 0x4b, 3, 4], undefined],
    [[], undefined],
  ])('price.csv that begins with %j: %s', (bytes, refusal) => {
    const head = Uint8Array.from(bytes)
    expect(fileRefusal({ name: 'price.csv', size: 10 }, { maxBytes: MAX, head })).toBe(refusal)
  })
})

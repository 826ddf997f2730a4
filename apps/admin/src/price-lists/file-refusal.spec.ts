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
    expect(fileRefusal({ name, size }, max)).toBe(refusal)
  })
})

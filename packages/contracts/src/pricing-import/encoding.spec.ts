import { describe, expect, it } from '@jest/globals'
import { describeSchema } from '../json-schema.js'
import { describeIssues } from '../violation.js'
import { formatEncoding } from './encoding.js'
import { priceListFormat } from './price-list.js'

describe('the encoding of a format (admin.md#encoding-names)', () => {
  it.each([
    ['utf8', 'utf-8'],
    ['UTF-8', 'utf-8'],
    ['cp1251', 'windows-1251'],
    ['win1251', 'windows-1251'],
    ['windows1251', 'windows-1251'],
    ['Windows-1251', 'windows-1251'],
    ['cp-866', 'cp866'],
    ['ibm866', 'cp866'],
    ['dos', 'cp866'],
    ['koi8r', 'koi8-r'],
    ['KOI8-R', 'koi8-r'],
    ['utf_16 LE', 'utf-16le'],
    ['auto', 'auto'],
  ])('%s is %s', (sent, encoding) => {
    expect(formatEncoding.parse(sent)).toBe(encoding)
  })

  it('is refused with the names that are known', () => {
    const { error } = priceListFormat.safeParse({ encoding: 'latin1' })
    expect(describeIssues(error?.issues ?? [], { encoding: 'latin1' }, 'format')).toEqual({
      'format.encoding': [
        'The selected encoding is invalid. It must be auto, utf-8, utf-16le, utf-16be, windows-1251, cp866 or koi8-r.',
      ],
    })
    expect(formatEncoding.safeParse(5).success).toBe(false)
    expect(formatEncoding.safeParse('constructor').success).toBe(false)
    expect(priceListFormat.parse({})).toEqual({})
  })

  it('is described as a list of names', () => {
    expect(describeSchema(formatEncoding, 'input').schema).toMatchObject({ type: 'string', enum: expect.any(Array) })
    expect(describeSchema(formatEncoding, 'output').schema).toMatchObject({ type: 'string', enum: expect.any(Array) })
  })
})

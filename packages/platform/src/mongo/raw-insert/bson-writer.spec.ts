import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BSON } from 'mongodb'
import { BsonWriter, fieldName } from './bson-writer.js'

const value = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 1e12),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', 'a\0b', 'Фильтр масляный', '\ud83d\ude00'.repeat(20), 'x'.repeat(100_000)),
  fc.constant(null),
)
const document = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,12}$/),
  fc.oneof(value, fc.array(fc.string({ unit: 'binary' }), { maxLength: 12 })),
)

function write(writer: BsonWriter, fields: Record<string, unknown>): void {
  const begun = writer.begin()
  for (const [name, field] of Object.entries(fields)) {
    const head = fieldName(name)
    if (Array.isArray(field)) {
      const array = writer.beginArray(head)
      field.forEach((item, index) => writer.string(fieldName(String(index)), String(item)))
      writer.end(array)
    } else if (typeof field === 'number') writer.number(head, field)
    else if (typeof field === 'string') writer.string(head, field)
    else writer.null(head)
  }
  writer.end(begun)
}

describe('BsonWriter', () => {
  it('writes what the driver writes, byte for byte, one document behind the other', () => {
    const writer = new BsonWriter()
    fc.assert(
      fc.property(fc.array(document, { maxLength: 5 }), (documents) => {
        writer.clear()
        for (const one of documents) write(writer, one)
        expect(writer.bytes().equals(Buffer.concat(documents.map((one) => BSON.serialize(one))))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

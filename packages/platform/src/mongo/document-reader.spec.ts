import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BSON } from 'mongodb'
import { DocumentReader } from './document-reader.js'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'a\0b', 'Фильтр масляный', 'é', '\ud83d\ude00'.repeat(10), 'x'.repeat(10_000)),
)
const common = fc.oneof(
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.maxSafeInteger().map((value) => BSON.Long.fromNumber(value)),
)
/** Read by the driver. */
const rare = fc.constantFrom<unknown>(
  new BSON.ObjectId('0123456789abcdef01234567'),
  BSON.Long.MAX_VALUE,
  new BSON.Binary(Buffer.from('bytes')),
  /x/i,
  { $ref: 'items', $id: 1 },
  new BSON.MinKey(),
)
const name = fc.oneof(fc.constantFrom('_id', 'name', 'имя', '', 'a.b', '0'), fc.stringMatching(/^[a-f$]{1,12}$/))
const { tree } = fc.letrec<{ tree: unknown; value: unknown }>((tie) => ({
  tree: fc.dictionary(name, tie('value'), { maxKeys: 8, noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    common,
    fc.oneof({ weight: 9, arbitrary: common }, { weight: 1, arbitrary: rare }),
    tie('tree'),
    fc.array(tie('value'), { maxLength: 12 }),
  ),
}))

describe('DocumentReader', () => {
  it('reads what the driver reads, one document after the other', () => {
    const reader = new DocumentReader()
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), (documents) => {
        for (const document of documents) {
          const bytes = BSON.serialize(document as BSON.Document)
          expect(reader.read(bytes)).toStrictEqual(BSON.deserialize(bytes))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('reads a document in the middle of a reply', () => {
    const document = { _id: 'a', attributes: [{ name: 'colour', value: 'чёрный' }], at: new Date(-1) }
    const bytes = BSON.serialize(document)
    const reply = Buffer.concat([Buffer.alloc(7, 1), bytes, Buffer.alloc(9, 1)])
    expect(new DocumentReader().read(reply.subarray(7, 7 + bytes.length))).toStrictEqual(document)
  })

  it('reads a field named __proto__ as a field', () => {
    const bytes = BSON.serialize(JSON.parse('{"__proto__":{"a":1}}') as BSON.Document)
    const read = new DocumentReader().read(bytes)
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(Object.keys(read)).toEqual(['__proto__'])
  })

  it('rejects text that is not UTF-8, as the driver does', () => {
    const bytes = Buffer.from(BSON.serialize({ name: 'abc' }))
    bytes[bytes.indexOf('abc')] = 0xff
    expect(() => new DocumentReader().read(bytes)).toThrow('Invalid UTF-8')
  })

  it('reads documents with more names than it remembers', () => {
    const reader = new DocumentReader()
    for (let at = 0; at < 1_100; at += 1) {
      const document = { [`name${at}`]: at, other: 'text' }
      expect(reader.read(BSON.serialize(document))).toStrictEqual(document)
    }
  })
})

import { describe, expect, it } from '@jest/globals'
import { countDocuments, fingerprintKeys, type Manifest, parseListedFile, parseManifest } from './manifest.js'

const sha256 = 'a'.repeat(64)
const time = '2026-01-31T03:00:00.000Z'
const manifest: Manifest = {
  format: 1,
  id: '3d2f6ab0-4a0e-4d3e-9a52-2f7d3b0c8c11',
  product: { version: '0.1.0', commit: 'unknown' },
  method: 'dump',
  server: 'MongoDB 8.0.0',
  started_at: time,
  finished_at: time,
  moment: { from: time, until: time },
  databases: [
    {
      service: 'catalog',
      name: 'partsbus_catalog',
      schema_version: null,
      collections: { products: 7, media: 3 },
      counters: { product: 9 },
    },
    { service: 'stock', name: 'partsbus_stock', schema_version: 2, collections: { supplies: 5 }, counters: {} },
  ],
  are_counts_exact: true,
  storage: { driver: 'gridfs', objects: null, files: { count: 0, bytes: 0 } },
  secrets_key: null,
  files: [{ path: 'files.ndjson', bytes: 0, sha256 }],
}

describe('a manifest', () => {
  it('is read as it was written', () => {
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest)
    expect(countDocuments(manifest)).toBe(15)
  })

  it.each([
    ['no JSON', '{"format": 1', 'manifest.json is damaged'],
    ['a missing field', JSON.stringify({ ...manifest, method: undefined }), 'manifest.json is damaged: method'],
    ['another method', JSON.stringify({ ...manifest, method: 'tape' }), 'manifest.json is damaged: method'],
    [
      'a later format',
      JSON.stringify({ ...manifest, format: 2 }),
      'The backup has format 2, which a later release wrote.',
    ],
  ])('is refused: %s', (_case, text, message) => {
    expect(() => parseManifest(text)).toThrow(message)
  })
})

describe('a line of the list of files', () => {
  it('is read', () => {
    const file = { path: 'files/storage/ab/cd', bytes: 3, sha256 }
    expect(parseListedFile(JSON.stringify(file), 1)).toEqual(file)
  })

  it.each([
    ['cut off', '{"path": "files/x"'],
    ['without a checksum', '{"path": "files/x", "bytes": 3}'],
    ['outside of the backup', JSON.stringify({ path: 'files/storage/../../../etc/passwd', bytes: 3, sha256 })],
  ])('is refused: %s', (_case, line) => {
    expect(() => parseListedFile(line, 7)).toThrow('files.ndjson:7 is damaged.')
  })
})

it('fingerprints tell keys apart, in any spelling', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const [first, ...rest] = fingerprintKeys(`${one.toString('base64')},${other.toString('hex')}`)
  expect(first).toMatch(/^[\da-f]{16}$/)
  expect([first]).toEqual(fingerprintKeys(one.toString('hex')))
  expect(rest).toEqual(fingerprintKeys(other.toString('base64')))
  expect(rest).not.toContain(first)
})

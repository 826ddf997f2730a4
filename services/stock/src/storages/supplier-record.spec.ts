import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { Supplier } from '@partsbus/contracts/storage'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { sealSupplier, supplierView, type SupplierRecord } from './supplier-record.js'

const secrets = new SecretBox(randomBytes(32))
const http = (headers?: Record<string, string>): Supplier => ({
  kind: 'http',
  base_url: 'https://parts.example/api',
  ...(headers && { headers }),
})
const opened = (record: SupplierRecord) =>
  record.kind === 'http'
    ? Object.fromEntries(record.headers.map(({ name, sealed }) => [name, secrets.open(sealed)]))
    : {}

describe('a supplier at rest', () => {
  it('what is left out gets its default', () => {
    expect(sealSupplier(http(), undefined, secrets)).toEqual({
      kind: 'http',
      base_url: 'https://parts.example/api',
      headers: [],
      timeout_ms: 4_000,
      cache_seconds: 60,
      dialect: 'standard',
    })
  })

  it.each(['own-stock', 'price-list'] as const)('%s has nothing to seal', (kind) => {
    expect(supplierView(sealSupplier({ kind }, undefined, secrets))).toEqual({ kind })
  })

  it('header values are sealed, shown as "***", and open to what was sent', () => {
    const record = sealSupplier(http({ 'X-Api.Key': 's3cret', Accept: '' }), undefined, secrets)
    expect(JSON.stringify(record)).not.toContain('s3cret')
    expect(opened(record)).toEqual({ 'X-Api.Key': 's3cret', Accept: '' })
    expect(supplierView(record)).toMatchObject({ headers: { 'X-Api.Key': '***', Accept: '***' } })
  })

  it('"***" keeps the stored value, whatever the case of the name; what is not named goes', () => {
    const stored = sealSupplier(http({ 'X-Key': 'one', 'X-Other': 'two' }), undefined, secrets)
    const next = sealSupplier(http({ 'x-key': '***', 'X-New': 'three' }), stored, secrets)
    expect(opened(next)).toEqual({ 'x-key': 'one', 'X-New': 'three' })
  })

  it.each([
    ['on creation', undefined],
    ['of a header that is not stored', sealSupplier(http({ 'X-Other': 'two' }), undefined, secrets)],
    ['of a supplier that had no headers', sealSupplier({ kind: 'own-stock' }, undefined, secrets)],
  ])('"***" %s is a violation', (_name, stored) => {
    expect(() => sealSupplier(http({ 'X-Key': '***' }), stored, secrets)).toThrow(
      expect.objectContaining({
        code: 'CONTRACT_VIOLATION',
        details: { errors: { 'supplier.headers.X-Key': ['The header X-Key has no stored value to keep.'] } },
      }),
    )
  })

  it('one header under two spellings is a violation', () => {
    expect(() => sealSupplier(http({ 'X-Key': 'a', 'x-key': 'b' }), undefined, secrets)).toThrow(
      expect.objectContaining({
        details: { errors: { 'supplier.headers.x-key': ['The header x-key is given twice.'] } },
      }),
    )
  })
})

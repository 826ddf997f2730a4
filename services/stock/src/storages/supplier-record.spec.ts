import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { Supplier } from '@partsbus/contracts/stock/storage'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { openSupplier, resealSupplier, sealSupplier, supplierView, type SupplierRecord } from './supplier-record.js'

const key = randomBytes(32)
const secrets = new SecretBox([key])
const http = (headers?: Record<string, string>): Supplier => ({
  kind: 'http',
  base_url: 'https://parts.example/api',
  ...(headers && { headers }),
})
const opened = (record: SupplierRecord) =>
  record.kind === 'http'
    ? Object.fromEntries(
        record.headers.map(({ name, sealed }) => [
          name,
          secrets.open(sealed, `storage 7 header ${name.toLowerCase()}`),
        ]),
      )
    : {}

describe('a stored supplier', () => {
  it('gets the default of fields that are left out', () => {
    expect(sealSupplier(7, http(), undefined, secrets)).toEqual({
      kind: 'http',
      base_url: 'https://parts.example/api',
      headers: [],
      timeout_ms: 4_000,
      cache_seconds: 60,
      dialect: 'standard',
    })
  })

  it.each(['own-stock', 'price-list'] as const)('of kind %s has nothing to seal', (kind) => {
    expect(supplierView(sealSupplier(7, { kind }, undefined, secrets))).toEqual({ kind })
  })

  it('has sealed header values that read "***" and open to the value sent (promises.md#promise-7)', () => {
    const record = sealSupplier(7, http({ 'X-Api.Key': 's3cret', Accept: '' }), undefined, secrets)
    expect(JSON.stringify(record)).not.toContain('s3cret')
    expect(opened(record)).toEqual({ 'X-Api.Key': 's3cret', Accept: '' })
    expect(supplierView(record)).toMatchObject({ headers: { 'X-Api.Key': '***', Accept: '***' } })
  })

  it('keeps the stored value of a header sent as "***" in any case, and drops omitted headers', () => {
    const stored = sealSupplier(7, http({ 'X-Key': 'one', 'X-Other': 'two' }), undefined, secrets)
    const next = sealSupplier(7, http({ 'x-key': '***', 'X-New': 'three' }), stored, secrets)
    expect(opened(next)).toEqual({ 'x-key': 'one', 'X-New': 'three' })
  })

  it.each([
    ['on creation', undefined],
    ['of a header that is not stored', sealSupplier(7, http({ 'X-Other': 'two' }), undefined, secrets)],
    ['of a supplier that had no headers', sealSupplier(7, { kind: 'own-stock' }, undefined, secrets)],
  ])('refuses "***" %s', (_name, stored) => {
    expect(() => sealSupplier(7, http({ 'X-Key': '***' }), stored, secrets)).toThrow(
      expect.objectContaining({
        code: 'CONTRACT_VIOLATION',
        details: {
          errors: { 'supplier.headers.X-Key': ['The header X-Key has no stored value to keep.'] },
          violations: [{ path: 'supplier.headers.X-Key', rule: 'invalid' }],
        },
      }),
    )
  })

  it('refuses a header given in two spellings', () => {
    expect(() => sealSupplier(7, http({ 'X-Key': 'a', 'x-key': 'b' }), undefined, secrets)).toThrow(
      expect.objectContaining({
        details: {
          errors: { 'supplier.headers.x-key': ['The header x-key is given twice.'] },
          violations: [{ path: 'supplier.headers.x-key', rule: 'invalid' }],
        },
      }),
    )
  })

  it.each([
    ['scheme', 'http://parts.example/api'],
    ['host', 'https://evil.example/api'],
    ['port', 'https://parts.example:8443/api'],
  ])('refuses "***" when the %s of the address changed', (_name, base_url) => {
    const stored = sealSupplier(7, http({ Authorization: 's3cret' }), undefined, secrets)
    const text = 'The password must be sent again, because the address changed.'
    const moved = { ...http({ Authorization: '***' }), base_url } as Supplier
    expect(() => sealSupplier(7, moved, stored, secrets)).toThrow(
      expect.objectContaining({
        code: 'CONTRACT_VIOLATION',
        details: {
          errors: { 'supplier.headers.Authorization': [text] },
          violations: [{ path: 'supplier.headers.Authorization', rule: 'resend' }],
        },
      }),
    )
  })

  it('keeps "***" when only the path of the address changed', () => {
    const stored = sealSupplier(7, http({ Authorization: 's3cret' }), undefined, secrets)
    const moved = { ...http({ Authorization: '***' }), base_url: 'https://parts.example:443/v2' } as Supplier
    expect(opened(sealSupplier(7, moved, stored, secrets))).toEqual({ Authorization: 's3cret' })
  })

  it('cannot be opened as another storage', () => {
    const stored = sealSupplier(7, http({ Authorization: 's3cret' }), undefined, secrets)
    expect(() => openSupplier(8, stored, secrets)).toThrow()
  })

  it('is sealed again by the current key, once', () => {
    const rotated = new SecretBox([randomBytes(32), key])
    const stored = sealSupplier(7, http({ Authorization: 's3cret' }), undefined, secrets)
    const resealed = resealSupplier(7, stored, rotated)
    expect(resealed && openSupplier(7, resealed, rotated)).toMatchObject({ headers: { Authorization: 's3cret' } })
    expect(resealed && resealSupplier(7, resealed, rotated)).toBeUndefined()
  })
})

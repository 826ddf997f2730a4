import { HIDDEN, type Supplier } from '@partsbus/contracts/storage'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { SecretBox } from '@partsbus/platform/process/secret-box'

type HttpSupplier = Extract<Supplier, { kind: 'http' }>

/** A supplier at rest. Header values are sealed; names stand in a list, as they may hold dots and dollars. */
export type SupplierRecord =
  | Exclude<Supplier, { kind: 'http' }>
  | (Required<Omit<HttpSupplier, 'headers'>> & { headers: Array<{ name: string; sealed: string }> })

/** What an administrator gets to see: secrets read `"***"` (admin.md#secrets). */
export function supplierView(record: SupplierRecord): Supplier {
  if (record.kind !== 'http') return record
  return { ...record, headers: Object.fromEntries(record.headers.map(({ name }) => [name, HIDDEN])) }
}

/** A supplier with its secrets in clear, for whoever asks it. @throws Error when they were sealed with another key */
export function openSupplier(record: SupplierRecord, secrets: SecretBox): Supplier {
  if (record.kind !== 'http') return record
  return {
    ...record,
    headers: Object.fromEntries(record.headers.map(({ name, sealed }) => [name, secrets.open(sealed)])),
  }
}

/**
 * A supplier as it is stored, given as a whole: what is left out gets its default.
 * `"***"` keeps the stored value of that header (names are compared without case).
 * @throws AppError CONTRACT_VIOLATION for `"***"` where nothing is stored, or a header named twice
 */
export function sealSupplier(given: Supplier, stored: SupplierRecord | undefined, secrets: SecretBox): SupplierRecord {
  if (given.kind !== 'http') return given
  const { kind, base_url, headers, timeout_ms = 4_000, cache_seconds = 60, dialect = 'standard' } = given
  return { kind, base_url, headers: sealHeaders(headers ?? {}, stored, secrets), timeout_ms, cache_seconds, dialect }
}

function sealHeaders(given: Record<string, string>, stored: SupplierRecord | undefined, secrets: SecretBox) {
  const kept = new Map(
    stored?.kind === 'http' ? stored.headers.map(({ name, sealed }) => [name.toLowerCase(), sealed]) : [],
  )
  const seen = new Set<string>()
  const violations: Violations = {}
  const headers = Object.entries(given).map(([name, value]) => {
    const key = name.toLowerCase()
    const sealed = value === HIDDEN ? kept.get(key) : secrets.seal(value)
    if (seen.has(key)) violations[`supplier.headers.${name}`] = [`The header ${name} is given twice.`]
    else if (sealed === undefined)
      violations[`supplier.headers.${name}`] = [`The header ${name} has no stored value to keep.`]
    seen.add(key)
    return { name, sealed: sealed ?? '' }
  })
  if (Object.keys(violations).length > 0) throw contractViolation(violations)
  return headers
}

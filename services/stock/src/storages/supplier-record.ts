import { HIDDEN, type Supplier } from '@partsbus/contracts/stock/storage'
import { ViolationList } from '@partsbus/contracts/violation'
import type { Log } from '@partsbus/platform/process/log'
import type { SecretBox } from '@partsbus/platform/process/secret-box'

type HttpSupplier = Extract<Supplier, { kind: 'http' }>

interface SealedHeader {
  name: string
  sealed: string
}

/** A supplier as it is stored. Header values are sealed; names are in a list, as they may contain dots and dollars. */
export type SupplierRecord =
  | Exclude<Supplier, { kind: 'http' }>
  | (Required<Omit<HttpSupplier, 'headers'>> & { headers: SealedHeader[] })

/** A supplier as administrators see it: header values read `"***"` (admin.md#secrets). */
export function supplierView(record: SupplierRecord): Supplier {
  if (record.kind !== 'http') return record
  return { ...record, headers: Object.fromEntries(record.headers.map(({ name }) => [name, HIDDEN])) }
}

/**
 * A supplier with its header values in clear, for the search.
 * @throws Error when they cannot be opened, for example after SECRETS_KEY was replaced
 */
export function openSupplier(storageId: number, record: SupplierRecord, secrets: SecretBox): Supplier {
  if (record.kind !== 'http') return record
  const headers = record.headers.map(({ name, sealed }) => [name, secrets.open(sealed, secretContext(storageId, name))])
  return { ...record, headers: Object.fromEntries(headers) }
}

/** Names of the headers whose values cannot be opened. */
export function listUnreadableHeaders(storageId: number, record: SupplierRecord, secrets: SecretBox): string[] {
  if (!('headers' in record) || !Array.isArray(record.headers)) return []
  return record.headers
    .filter(({ name, sealed }) => !secrets.canOpen(sealed, secretContext(storageId, name)))
    .map(({ name }) => name)
}

/** @returns null when it cannot be opened: one such storage must not fail the search of the others */
export function tryToOpenSupplier(
  { id, supplier }: { id: number; supplier: SupplierRecord },
  secrets: SecretBox,
  log: Log,
): Supplier | null {
  try {
    return openSupplier(id, supplier, secrets)
  } catch (error) {
    log.error({ err: error, storage_id: id }, 'header values of a storage cannot be decrypted')
    return null
  }
}

/**
 * A supplier to store; fields that are left out get their default. `"***"` keeps the stored value of that header
 * (names are compared without case), as long as the values go to the same address.
 * @throws AppError CONTRACT_VIOLATION for `"***"` where nothing is stored or the address changed, or a header given
 * twice
 */
export function sealSupplier(
  storageId: number,
  supplier: Supplier,
  stored: SupplierRecord | undefined,
  secrets: SecretBox,
): SupplierRecord {
  if (supplier.kind !== 'http') return supplier
  const { kind, base_url, headers = {}, timeout_ms = 4_000, cache_seconds = 60, dialect = 'standard' } = supplier
  const isSameAddress = stored?.kind === 'http' && readOrigin(stored.base_url) === readOrigin(base_url)
  const kept = new Map(stored?.kind === 'http' ? stored.headers.map((each) => [headerKey(each.name), each.sealed]) : [])
  const seen = new Set<string>()
  const violations = new ViolationList()
  const sealed = Object.entries(headers).map(([name, value]): SealedHeader => {
    const key = headerKey(name)
    const field = `supplier.headers.${name}`
    if (seen.has(key)) violations.set(field, 'invalid', `The header ${name} is given twice.`)
    else if (value === HIDDEN && !kept.has(key))
      violations.set(field, 'invalid', `The header ${name} has no stored value to keep.`)
    else if (value === HIDDEN && !isSameAddress)
      violations.set(field, 'resend', 'The password must be sent again, because the address changed.')
    seen.add(key)
    const keptValue = value === HIDDEN ? kept.get(key) : undefined
    return { name, sealed: keptValue ?? secrets.seal(value, secretContext(storageId, name)) }
  })
  violations.assertNone()
  return { kind, base_url, headers: sealed, timeout_ms, cache_seconds, dialect }
}

/**
 * A supplier as {@link sealSupplier} would store it, in clear: for a test before it is saved.
 * @throws AppError as {@link sealSupplier}; Error as {@link openSupplier}
 */
export function revealSupplier(
  storageId: number,
  supplier: Supplier,
  stored: SupplierRecord | undefined,
  secrets: SecretBox,
): Supplier {
  return openSupplier(storageId, sealSupplier(storageId, supplier, stored, secrets), secrets)
}

/**
 * The record with every header value sealed by the current key and bound to its storage.
 * @returns undefined when nothing changes. @throws as {@link openSupplier}
 */
export function resealSupplier(
  storageId: number,
  record: SupplierRecord,
  secrets: SecretBox,
): SupplierRecord | undefined {
  if (record.kind !== 'http' || record.headers.every(({ sealed }) => secrets.isCurrent(sealed))) return undefined
  const headers = record.headers.map(({ name, sealed }) => {
    const context = secretContext(storageId, name)
    return { name, sealed: secrets.seal(secrets.open(sealed, context), context) }
  })
  return { ...record, headers }
}

/** A sealed value cannot be moved to another storage or header. */
function secretContext(storageId: number, headerName: string): string {
  return `storage ${storageId} header ${headerKey(headerName)}`
}

function headerKey(headerName: string): string {
  return headerName.toLowerCase()
}

/** Scheme, host and port. */
function readOrigin(url: string): string {
  return new URL(url).origin
}

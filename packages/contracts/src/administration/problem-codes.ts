/*
 * What is wrong with an installation, by codes that scripts and pages know: the overview finds the problems of a
 * running installation, services those of their stores, and `partsbus doctor` prints them. All say the same of the
 * same thing.
 */

/** Codes of the overview. More may be added, so that clients show an unknown one as it is. */
export const problemCodes = [
  'service-away',
  'imports-waiting',
  'import-failed',
  'source-failing',
  'supplier-cut-off',
  'not-in-search',
  'pictures-failing',
  'erp-silent',
  'erp-not-ready',
  'b2b-not-ready',
  'secrets-unreadable',
  'disk-full',
] as const

/** Codes of `partsbus doctor` and of the services that it asks alone. */
export type DoctorCode =
  | 'admin-token-wrong'
  | 'bus-permission'
  | 'bus-unreachable'
  | 'check-failed'
  | 'clock-skew'
  | 'consumer-missing'
  | 'counter-behind'
  | 'database-unreachable'
  | 'duplicate-id'
  | 'file-missing'
  | 'folder-missing'
  | 'gateway-unreachable'
  | 'image-without-record'
  | 'index-missing'
  | 'list-without-storage'
  | 'live-version-without-offers'
  | 'maintenance'
  | 'outbox-overdue'
  | 'pick-up-point-without-storage'
  | 'product-counter-behind-stock'
  | 'schema-ahead'
  | 'schema-behind'
  | 'secret-exposed'
  | 'setting-without-target'
  | 'stream-full'
  | 'stream-missing'
  | 'supply-without-pick-up-point'
  | 'supply-without-product'
  | 'supply-without-storage'
  | 'version-skew'

export type ProblemCode = (typeof problemCodes)[number] | DoctorCode

/** A disk is full below this share and this many bytes: some price lists with their unpacked copies. */
const MIN_FREE_SHARE = 0.05
const MIN_FREE_BYTES = 2 * 1024 ** 3

export const isDiskFull = (disk: { free_bytes: number; size_bytes: number }): boolean =>
  disk.free_bytes < Math.min(MIN_FREE_BYTES, disk.size_bytes * MIN_FREE_SHARE)

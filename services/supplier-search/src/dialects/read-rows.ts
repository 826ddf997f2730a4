import { AppError } from '@partsbus/contracts/app-error'
import type { SupplierReply } from './dialect.js'

/** A failure of the supplier, with a reason for the administrator. */
export function supplierFault(reason: string, cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', reason, cause === undefined ? {} : { cause })
}

/** @throws AppError UNAVAILABLE for any status but 2xx */
export function requireSuccess({ status }: SupplierReply): void {
  if (status === 401 || status === 403) throw supplierFault(`The supplier refused the credentials (HTTP ${status}).`)
  if (status >= 300 && status < 400)
    throw supplierFault(
      `The supplier redirects (HTTP ${status}), which is not followed; base_url must be the final address.`,
    )
  if (status === 404) throw supplierFault('The supplier knows no such address (HTTP 404); check base_url and dialect.')
  if (status < 200 || status > 299) throw supplierFault(`The supplier answered HTTP ${status}.`)
}

/** Reads the rows of a list; invalid ones are left out. @throws AppError UNAVAILABLE when it is not a list */
export function readRows<Row>(list: unknown, what: 'brands' | 'parts', read: (row: unknown) => Row | undefined): Row[] {
  if (!Array.isArray(list)) throw supplierFault(`The answer is not a list of ${what}; check base_url and dialect.`)
  return list.map(read).filter((row) => row !== undefined)
}

/** The value of a configured header, by its name in any case; `''` when there is none. */
export function headerValue(headers: Record<string, string> | undefined, name: string): string {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
}

/** The configured headers without those that the dialect sends in another way. */
export function otherHeaders(
  headers: Record<string, string> | undefined,
  excluded: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([key]) => !excluded.includes(key.toLowerCase())))
}

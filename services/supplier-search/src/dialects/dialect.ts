import type { Supplier } from '@partsbus/contracts/storage'
import type { BrandRow, Offer } from '../search/offer.js'

export type HttpSupplier = Extract<Supplier, { kind: 'http' }>

/** One request to a supplier. The path follows the storage's `base_url`. */
export interface SupplierRequest {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  body?: unknown
  headers: Record<string, string>
}

/** What came back: any status, and the JSON of the body. */
export interface SupplierReply {
  status: number
  body: unknown
}

/**
 * How a family of suppliers is asked: which requests, and how their answers read. Pure: time limits, sizes, caching and
 * connections are the caller's. Readers drop rows they cannot read; they throw only when the whole answer is something else.
 */
export interface Dialect {
  brands(supplier: HttpSupplier, article: string): SupplierRequest
  /** @throws AppError UNAVAILABLE with words for the administrator when the answer is no list of brands */
  readBrands(reply: SupplierReply): BrandRow[]
  /** @param brands in the supplier's own spelling */
  parts(supplier: HttpSupplier, article: string, brands: readonly string[]): SupplierRequest[]
  /** @throws AppError UNAVAILABLE with words for the administrator when the answer is no list of positions */
  readParts(reply: SupplierReply): Offer[]
}

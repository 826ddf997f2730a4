import type { Supplier } from '@partsbus/contracts/stock/storage'
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

/** Any status, and the JSON of the body. */
export interface SupplierReply {
  status: number
  body: unknown
}

/**
 * The protocol of a family of suppliers: its requests, and how its replies are read. Pure: time limits, sizes, caching
 * and connections are the caller's. Readers drop invalid rows; they throw only when the whole reply is something else.
 */
export interface Dialect {
  brands(supplier: HttpSupplier, article: string): SupplierRequest
  /** @throws AppError UNAVAILABLE with a reason for the administrator when the reply is not a list of brands */
  readBrands(reply: SupplierReply): BrandRow[]
  /** @param brands in the supplier's own spelling */
  parts(supplier: HttpSupplier, article: string, brands: readonly string[]): SupplierRequest[]
  /** @throws AppError UNAVAILABLE with a reason for the administrator when the reply is not a list of offers */
  readParts(reply: SupplierReply): Offer[]
}

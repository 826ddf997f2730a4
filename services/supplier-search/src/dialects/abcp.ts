import { createHash } from 'node:crypto'
import { type BrandRow, readBrandRow, readOffer } from '../search/offer.js'
import type { Dialect, HttpSupplier, SupplierReply, SupplierRequest } from './dialect.js'
import { headerValue, otherHeaders, readRows, requireSuccess, supplierFault } from './read-rows.js'

/*
 * Shops and wholesalers on the ABCP platform (public documentation: https://www.abcp.ru/wiki/API:Docs, "search/brands",
 * "search/articles"). `base_url` is `https://<name>.public.api.abcp.ru`. Headers of the storage that are sent as
 * parameters instead: `userlogin`; `userpsw`, the password's md5 as the platform wants it, or `password`, the password itself.
 */

const CREDENTIALS = ['userlogin', 'userpsw', 'password']
const HOURS_A_DAY = 24
/** Inexact quantities `+`, `++`, `+++` as the number of pieces that is certain; -10, "on order", offers nothing. */
const inexact: Record<string, number> = { '-1': 1, '-2': 10, '-3': 100 }

export const abcp: Dialect = {
  brands: (supplier, article) => request(supplier, '/search/brands', { number: article, useOnlineStocks: '1' }),
  readBrands: (reply) => (isNothingFound(reply) ? [] : readRows(listOf(reply), 'brands', readBrandOf)),
  parts: (supplier, article, brands) =>
    brands.map((brand) => request(supplier, '/search/articles', { number: article, brand, useOnlineStocks: '1', withOutAnalogs: '1' })),
  readParts: (reply) => (isNothingFound(reply) ? [] : readRows(listOf(reply), 'parts', (row) => {
    const { availability, price, deliveryPeriod } = fieldsOf(row)
    return readOffer({
      ...readBrandOf(row),
      quantity: inexact[String(availability)] ?? numberOf(availability),
      price: numberOf(price),
      delivery_days: daysOf(deliveryPeriod),
    })
  })),
}

function request({ headers }: HttpSupplier, path: string, query: Record<string, string>): SupplierRequest {
  const password = headerValue(headers, 'password')
  const userpsw = headerValue(headers, 'userpsw') || createHash('md5').update(password).digest('hex')
  return { method: 'GET', path, query: { userlogin: headerValue(headers, 'userlogin'), userpsw, ...query }, headers: otherHeaders(headers, CREDENTIALS) }
}

/** The platform says "no results" as HTTP 404 with error code 301. */
function isNothingFound({ status, body }: SupplierReply): boolean {
  return status === 404 && Number(fieldsOf(body)['errorCode']) === 301
}

/** An error may come with HTTP 200; a list may come as an object with numbers for keys. */
function listOf(reply: SupplierReply): unknown {
  const { errorCode, errorMessage } = fieldsOf(reply.body)
  if (errorCode === 102 || errorCode === '102') throw supplierFault('The supplier refused the credentials (userlogin and userpsw).')
  if (errorCode !== undefined) throw supplierFault(`The supplier answered error ${String(errorCode).slice(0, 20)}: ${String(errorMessage).slice(0, 200)}`)
  requireSuccess(reply)
  return Array.isArray(reply.body) || reply.body === null ? reply.body : Object.values(fieldsOf(reply.body))
}

function readBrandOf(row: unknown): BrandRow | undefined {
  const { brand, number, numberFix, description } = fieldsOf(row)
  return readBrandRow({ brand, article: number ?? numberFix, name: description ?? '' })
}

function daysOf(hours: unknown): number | undefined {
  const value = numberOf(hours)
  return value === undefined ? undefined : Math.ceil(value / HOURS_A_DAY)
}

/** Numbers come as such or in quotes. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined
}

function fieldsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {}
}

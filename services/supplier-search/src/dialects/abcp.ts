import { createHash } from 'node:crypto'
import { type BrandRow, readBrandRow, readOffer } from '../search/offer.js'
import type { Dialect, HttpSupplier, SupplierReply, SupplierRequest } from './dialect.js'
import { headerValue, otherHeaders, readRows, requireSuccess, supplierFault } from './read-rows.js'

/*
 * Shops and wholesalers on the ABCP platform (public documentation: https://www.abcp.ru/wiki/API.ABCP.Client,
 * "search/brands",
 * "search/articles"). `base_url` is `https://<name>.public.api.abcp.ru`. Headers of the storage that are sent as
 * parameters instead: `userlogin`; `userpsw`, the md5 of the password as the platform expects it, or `password`, the
 * password itself. The platform resolves synonyms of brands: for two spellings of one brand it returns the same offers.
 */

const CREDENTIALS = ['userlogin', 'userpsw', 'password']
const HOURS_A_DAY = 24
/** Codes for an inexact quantity, shown as `+`, `++` and `+++`: at least one piece. -10, "on order", is no offer. */
const inexact = new Set(['-1', '-2', '-3'])
/** Wrong user or password, missing rights, and an API that is disabled for this user. */
const refused = new Set(['102', '103', '104'])
const NOTHING_FOUND = '301'

export const abcp: Dialect = {
  brands: (supplier, article) => request(supplier, '/search/brands/', { number: article, useOnlineStocks: '1' }),
  readBrands: (reply) => (isNothingFound(reply) ? [] : readRows(readList(reply), 'brands', toBrandRow)),
  parts: (supplier, article, brands) =>
    brands.map((brand) =>
      request(supplier, '/search/articles/', { number: article, brand, useOnlineStocks: '1', withOutAnalogs: '1' }),
    ),
  readParts: (reply) =>
    isNothingFound(reply)
      ? []
      : readRows(readList(reply), 'parts', (row) => {
          const { availability, price, deliveryPeriod } = toFields(row)
          return readOffer({
            ...toBrandRow(row),
            quantity: inexact.has(String(availability)) ? 1 : readNumber(availability),
            price: readNumber(price),
            delivery_days: hoursToDays(deliveryPeriod),
          })
        }),
}

function request({ headers }: HttpSupplier, path: string, query: Record<string, string>): SupplierRequest {
  const password = headerValue(headers, 'password')
  const userpsw = headerValue(headers, 'userpsw') || createHash('md5').update(password).digest('hex')
  return {
    method: 'GET',
    path,
    query: { userlogin: headerValue(headers, 'userlogin'), userpsw, ...query },
    headers: otherHeaders(headers, CREDENTIALS),
  }
}

/** "No results" is an error code, with HTTP 404 or 200. */
function isNothingFound({ body }: SupplierReply): boolean {
  return String(toFields(body)['errorCode']) === NOTHING_FOUND
}

/** An error may come with HTTP 200, and a list as an object with numeric keys. */
function readList(reply: SupplierReply): unknown {
  const { errorCode, errorMessage } = toFields(reply.body)
  if (refused.has(String(errorCode)))
    throw supplierFault(
      `The supplier refused the credentials (userlogin and userpsw), with error ${String(errorCode)}.`,
    )
  if (errorCode !== undefined)
    throw supplierFault(
      `The supplier answered error ${String(errorCode).slice(0, 20)}: ${String(errorMessage).slice(0, 200)}`,
    )
  requireSuccess(reply)
  return typeof reply.body !== 'object' || reply.body === null || Array.isArray(reply.body)
    ? reply.body
    : Object.values(reply.body)
}

function toBrandRow(row: unknown): BrandRow | undefined {
  const { brand, number, numberFix, description } = toFields(row)
  return readBrandRow({ brand, article: number ?? numberFix, name: description ?? '' })
}

function hoursToDays(hours: unknown): number | undefined {
  const value = readNumber(hours)
  return value === undefined ? undefined : Math.ceil(value / HOURS_A_DAY)
}

/** Numbers may be in quotes. */
function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined
}

function toFields(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {}
}

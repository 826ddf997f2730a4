import { type BrandRow, readBrandRow, readOffer } from '../search/offer.js'
import type { Dialect, HttpSupplier, SupplierReply, SupplierRequest } from './dialect.js'
import { headerValue, otherHeaders, readRows, requireSuccess, supplierFault } from './read-rows.js'

/*
 * AutoEuro, API version 2 (public documentation: https://api.autoeuro.ru/doc/v2, "search_brands", "search_items").
 * `base_url` is `https://api.autoeuro.ru/api/v2/json`. Headers of the storage: `key`, the API key, which is sent as the
 * header
 * it is; and `delivery_key`, the delivery method that prices and times apply to, which is sent as a parameter.
 * Numbers may be in quotes, contrary to the documentation; moments are in Moscow time.
 */

const PARAMETERS = ['delivery_key']
const DAY_MS = 86_400_000
const MOSCOW = '+03:00'

export const autoeuro: Dialect = dialectAt(() => Date.now())

/** @param now milliseconds; the supplier sends delivery times as moments */
export function dialectAt(now: () => number): Dialect {
  return {
    brands: (supplier, article) => request(supplier, '/search_brands/', { code: article }),
    readBrands: (reply) => readRows(readData(reply), 'brands', toBrandRow),
    parts: (supplier, article, brands) =>
      brands.map((brand) =>
        request(supplier, '/search_items/', {
          code: article,
          brand,
          delivery_key: headerValue(supplier.headers, 'delivery_key'),
          with_crosses: '0',
          with_offers: '1',
        }),
      ),
    readParts: (reply) =>
      readRows(readData(reply), 'parts', (row) => {
        const { amount, price, delivery_time } = toFields(row)
        return readOffer({
          ...toBrandRow(row),
          quantity: readNumber(amount),
          price: readNumber(price),
          delivery_days: daysUntil(delivery_time, now()),
        })
      }),
  }
}

function request({ headers }: HttpSupplier, path: string, query: Record<string, string>): SupplierRequest {
  return { method: 'GET', path, query, headers: otherHeaders(headers, PARAMETERS) }
}

/** The rows are in `DATA`, which may be null beside a `META`; an `ERROR` may come with any HTTP status. */
function readData(reply: SupplierReply): unknown {
  const { META, DATA, ERROR } = toFields(reply.body)
  if (ERROR !== undefined && ERROR !== null && ERROR !== '') {
    const { code, message } = toFields(ERROR)
    const reason = String(message ?? JSON.stringify(ERROR)).slice(0, 200)
    throw supplierFault(
      code === undefined
        ? `The supplier answered: ${reason}`
        : `The supplier answered error ${String(code).slice(0, 20)}: ${reason}`,
    )
  }
  requireSuccess(reply)
  return META !== undefined ? (DATA ?? []) : DATA
}

function toBrandRow(row: unknown): BrandRow | undefined {
  const { brand, code, name } = toFields(row)
  return readBrandRow({ brand, article: code, name: name ?? '' })
}

/** Whole days, rounded up; a moment in the past is today. */
function daysUntil(moment: unknown, now: number): number | undefined {
  const at = typeof moment === 'string' ? Date.parse(`${moment.replace(' ', 'T')}${MOSCOW}`) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / DAY_MS))
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined
}

function toFields(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {}
}

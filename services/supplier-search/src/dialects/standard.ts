import { readBrandRow, readOffer } from '../search/offer.js'
import type { Dialect } from './dialect.js'
import { readRows, requireSuccess } from './read-rows.js'

/**
 * The dialect `standard` (admin.md#supplier): `POST /brands {article}` and `POST /parts {brands, article}`, both
 * answered by a list.
 */
export const standard: Dialect = {
  brands: ({ headers = {} }, article) => ({ method: 'POST', path: '/brands', headers, body: { article } }),
  readBrands(reply) {
    requireSuccess(reply)
    return readRows(reply.body, 'brands', readBrandRow)
  },
  parts: ({ headers = {} }, article, brands) => [
    { method: 'POST', path: '/parts', headers, body: { brands, article } },
  ],
  readParts(reply) {
    requireSuccess(reply)
    return readRows(reply.body, 'parts', readOffer)
  },
}

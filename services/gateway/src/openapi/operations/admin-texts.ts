import type { AdminPath } from '@partsbus/contracts/http/admin'
import * as examples from '../examples/admin-examples.js'
import { importFileTexts } from './import-file-texts.js'
import { peopleTexts } from './people-texts.js'
import { overviewTexts } from './overview-texts.js'
import { brandSynonymTexts, importTaskTexts, priceListTexts } from './pricing-texts.js'
import type { RouteText } from './route-text.js'
import { settingsTexts } from './settings-texts.js'

const reference = 'Pick-up points and storages'
const stored = 'Catalog and stock'
const PAGED = 'Lists are ordered by `id`; `total` counts all rows that match.'
const PATCHED = 'Fields that are not sent do not change.'

/** The texts of a call, in addition to its row. */
export const adminTexts: Readonly<Record<AdminPath, RouteText>> = {
  ...overviewTexts,
  ...settingsTexts,

  'GET /pick-up-points': {
    tag: reference,
    description: PAGED,
    result: 'One page of pick-up points',
    answer: examples.pageWith(examples.pickUpPoint),
  },
  'POST /pick-up-points': {
    tag: reference,
    description: 'Only `name` is required. `storage_ids` are the storages that deliver to the point; they must exist.',
    result: 'The pick-up point',
    answer: examples.pickUpPoint,
    body: { summary: 'A pick-up point', value: examples.newPickUpPoint },
    violations: { name: ['The name field is required.'], 'storage_ids.0': ['The selected storage_ids.0 is invalid.'] },
  },
  'GET /pick-up-points/:id': {
    tag: reference,
    description: 'One pick-up point.',
    result: 'The pick-up point',
    answer: examples.pickUpPoint,
  },
  'PATCH /pick-up-points/:id': {
    tag: reference,
    description: PATCHED,
    result: 'The pick-up point after the change',
    answer: { ...examples.pickUpPoint, ...examples.pickUpPointPatch },
    body: { summary: 'Some fields', value: examples.pickUpPointPatch },
    violations: { is_active: ['The is_active field must be true or false.'] },
  },
  'DELETE /pick-up-points/:id': {
    tag: reference,
    description: 'Refused while the settings or supplies refer to it.',
    conflict: 'The pick-up point is used by the setting erp_pick_up_point_id.',
  },

  'GET /storages': {
    tag: reference,
    description: `${PAGED} Header values of a supplier read \`"***"\`.`,
    result: 'One page of storages',
    answer: examples.pageWith(examples.storage),
  },
  'POST /storages': {
    tag: reference,
    description:
      'Only `name` is required. `supplier` is the source of its offers: own stock (the default), price lists, or ' +
      'an HTTP supplier. Header values are secrets: they are stored encrypted and never shown again.',
    result: 'The storage',
    answer: examples.storage,
    body: { summary: 'An HTTP supplier', value: examples.newStorage },
    violations: { 'supplier.base_url': ['The base_url must be an http or https URL.'] },
  },
  'GET /storages/:id': {
    tag: reference,
    description: 'Header values of its supplier read `"***"`.',
    result: 'The storage',
    answer: examples.storage,
  },
  'PATCH /storages/:id': {
    tag: reference,
    description: `${PATCHED} A \`supplier\` replaces the one before; a header value sent as \`"***"\` keeps the stored
one.`,
    result: 'The storage after the change',
    answer: { ...examples.storage, supplier: examples.storagePatch.supplier },
    body: { summary: 'Another address, the same key', value: examples.storagePatch },
    violations: { 'supplier.timeout_ms': ['The timeout_ms must not be greater than 10000.'] },
  },
  'DELETE /storages/:id': {
    tag: reference,
    description: 'Refused while the settings, a pick-up point, supplies or price lists refer to it.',
    conflict: 'The storage is used by the settings erp_storage_id, storages_for_crosses.',
  },
  'POST /storages/:id/test': {
    tag: reference,
    description:
      'Asks the supplier once for the brands of an article, without cache or circuit breaker, even when the ' +
      'storage is not active. `ok` is false when the request failed, and `error` says why.',
    result: 'What came of it',
    answer: { ok: true, ms: 184, brands: [{ brand: 'BOSCH', article: '0986424590', name: 'Brake pads' }], error: null },
    body: { summary: 'An article that the supplier should know', value: { article: '0986424590' } },
    bodyText: 'The article to ask for.',
    violations: { article: ['The article field is required.'] },
  },
  'POST /storages/test': {
    tag: reference,
    description:
      'The same for a supplier that is not stored. A header value `"***"` stands for the one that is stored for ' +
      '`storage_id`; it is sent to its stored scheme, host and port only.',
    result: 'What came of it',
    answer: { ok: false, ms: 12, brands: [], error: 'The connection to api.supplier.example was refused.' },
    body: {
      summary: 'A supplier with its stored key',
      value: { supplier: examples.storagePatch.supplier, article: '0986424590', storage_id: 3 },
    },
    bodyText: 'The supplier, and the article to ask for.',
    violations: {
      'supplier.headers.X-Api-Key': ['The password must be sent again, because the address changed.'],
    },
  },

  'GET /categories': {
    tag: stored,
    description: PAGED,
    result: 'One page of categories',
    answer: examples.pageWith(examples.categoryRow),
  },
  'GET /categories/:id': {
    tag: stored,
    description: 'Inactive ones too.',
    result: 'The category',
    answer: examples.category,
  },
  'GET /categories/by-erp-id/*': {
    tag: stored,
    description: 'Inactive ones too.',
    result: 'The category',
    answer: examples.category,
  },
  'GET /products': {
    tag: stored,
    description: `${PAGED} Soft-deleted ones are listed too; \`trashed=true\` lists only them.`,
    result: 'One page of products',
    answer: examples.pageWith(examples.product),
  },
  'GET /products/:id': {
    tag: stored,
    description: 'Soft-deleted ones too.',
    result: 'The product',
    answer: examples.product,
  },
  'GET /products/by-erp-id/*': {
    tag: stored,
    description: 'Soft-deleted ones too.',
    result: 'The product',
    answer: examples.product,
  },
  'GET /supplies': {
    tag: stored,
    description: `${PAGED} The filters may be combined.`,
    result: 'One page of supplies',
    answer: examples.pageWith(examples.supply),
  },
  'GET /supplies/:id': {
    tag: stored,
    description: 'One supply.',
    result: 'The supply',
    answer: examples.supply,
  },
  'PATCH /supplies/:id': {
    tag: stored,
    description: `${PATCHED} A price of \`null\` means there is none. What the ERP writes is not changed here.`,
    result: 'The supply after the change',
    answer: examples.supply,
    body: { summary: 'A price', value: examples.supplyPatch },
    violations: { selling_price: ['The selling_price must be at least 0.'] },
  },
  'GET /media-jobs': {
    tag: stored,
    description:
      'Downloads that wait (`pending`) or have failed (`failed`, with the reason). Completed downloads are not listed.',
    result: 'One page of downloads',
    answer: examples.pageWith(examples.mediaJob),
  },
  'POST /media-jobs/:id/retry': {
    tag: stored,
    description: 'Schedules a download now. A body is ignored.',
    result: 'The download',
    answer: { ...examples.mediaJob, status: 'pending', attempts: 0 },
  },

  'POST /media-jobs/retry': {
    tag: stored,
    description: 'Schedules the failed downloads of one host, or of all; at most 10,000 in one call.',
    result: 'How many are scheduled',
    answer: { retried: 17 },
    body: { summary: 'One host', value: { host: 'images.erp.example' } },
    bodyText: 'The host whose images to fetch.',
    violations: { host: ['The host must be a string.'] },
  },

  ...brandSynonymTexts,
  ...priceListTexts,
  ...importTaskTexts,
  ...importFileTexts,
  ...peopleTexts,
}

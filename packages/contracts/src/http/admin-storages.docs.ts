import type { storageRows } from './admin-storages.js'
import { type DocsOf, PAGED, PATCHED } from './docs.js'

const supplier = {
  kind: 'http',
  base_url: 'https://api.supplier.example/v1',
  headers: { 'X-Api-Key': 'secret' },
  timeout_ms: 3_000,
}
const movedSupplier = {
  kind: 'http',
  base_url: 'https://api.supplier.example/v2',
  headers: { 'X-Api-Key': '***' },
}

export const storageDocs: DocsOf<typeof storageRows> = {
  'GET /pick-up-points': {
    description: PAGED,
    result: 'One page of pick-up points',
  },
  'POST /pick-up-points': {
    description: 'Only `name` is required. `storage_ids` are the storages that deliver to the point; they must exist.',
    result: 'The pick-up point',
    violations: { name: ['The name field is required.'], 'storage_ids.0': ['The selected storage_ids.0 is invalid.'] },
  },
  'GET /pick-up-points/:id': {
    description: 'One pick-up point.',
    result: 'The pick-up point',
  },
  'PATCH /pick-up-points/:id': {
    description: PATCHED,
    result: 'The pick-up point after the change',
    requests: { 'Some fields': { phone: '+7 343 000-00-00', is_active: false } },
    violations: { is_active: ['The is_active field must be true or false.'] },
  },
  'DELETE /pick-up-points/:id': {
    description: 'Refused while the settings or supplies refer to it.',
    conflict: 'The pick-up point is used by the setting erp_pick_up_point_id.',
  },
  'GET /storages': {
    description: `${PAGED} Header values of a supplier read \`"***"\`.`,
    result: 'One page of storages',
  },
  'POST /storages': {
    description:
      'Only `name` is required. `supplier` is the source of its offers: own stock (the default), price lists, or ' +
      'an HTTP supplier. Header values are secrets: they are stored encrypted and never shown again.',
    result: 'The storage',
    requests: { 'An HTTP supplier': { name: 'Supplier North', supplier } },
    violations: { 'supplier.base_url': ['The base_url must be an http or https URL.'] },
  },
  'GET /storages/:id': {
    description: 'Header values of its supplier read `"***"`.',
    result: 'The storage',
  },
  'PATCH /storages/:id': {
    description: `${PATCHED} A \`supplier\` replaces the one before; a header value sent as \`"***"\` keeps the stored
one.`,
    result: 'The storage after the change',
    requests: { 'Another address, the same key': { supplier: movedSupplier } },
    violations: { 'supplier.timeout_ms': ['The timeout_ms must not be greater than 10000.'] },
  },
  'DELETE /storages/:id': {
    description: 'Refused while the settings, a pick-up point, supplies or price lists refer to it.',
    conflict: 'The storage is used by the settings erp_storage_id, storages_for_crosses.',
  },
  'POST /storages/:id/in-search': {
    description:
      'Adds the storage to the setting `storages_for_crosses`, whoever else changes the settings meanwhile; one that ' +
      'is in it already stays there. Only own stock and price lists: a storage that asks another system is included ' +
      'by an owner, in the settings. A body is ignored.',
    result: 'The storage is asked',
    conflict: 'The storage asks another system. An owner includes it in the setting storages_for_crosses.',
  },
  'POST /storages/:id/test': {
    description:
      'Asks the supplier once for the brands of an article, without cache or circuit breaker, even when the ' +
      'storage is not active. `ok` is false when the request failed, and `error` says why.',
    result: 'The result',
    body: 'The article to ask for.',
    violations: { article: ['The article field is required.'] },
  },
  'POST /storages/test': {
    description:
      'The same for a supplier that is not stored. A header value `"***"` stands for the one that is stored for ' +
      '`storage_id`; it is sent to its stored scheme, host and port only.',
    result: 'The result',
    body: 'The supplier, and the article to ask for.',
    requests: { 'A supplier with its stored key': { supplier: movedSupplier, article: '0986424590', storage_id: 3 } },
    violations: {
      'supplier.headers.X-Api-Key': ['The password must be sent again, because the address changed.'],
    },
  },
  'GET /brand-synonyms': {
    description: `${PAGED} A page of very large groups ends early; \`?after_id=\` with its last id continues.`,
    result: 'One page of groups',
  },
  'POST /brand-synonyms': {
    description:
      'Partners see `canonical`; each supplier is asked in its own spelling. Spellings are compared without ' +
      'case, quotes and double spaces, and each belongs to one group only. The change applies to the next search.',
    result: 'The group',
    violations: { 'synonyms.1': ['The spelling "БОШ" belongs to another group.'] },
  },
  'GET /brand-synonyms/:id': {
    description: 'One group.',
    result: 'The group',
  },
  'PATCH /brand-synonyms/:id': {
    description: `${PATCHED} \`synonyms\` replaces the list before.`,
    result: 'The group after the change',
    requests: { 'Another spelling': { synonyms: ['Robert Bosch', 'БОШ', 'Bosch GmbH'] } },
    violations: { canonical: ['The canonical field is required.'] },
  },
  'DELETE /brand-synonyms/:id': {
    description: 'Its spellings become separate brands.',
  },
}

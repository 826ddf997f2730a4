import {
  getCategory,
  getProduct,
  listCategories,
  listMediaJobs,
  listProducts,
  retryMediaJob,
} from '@partsbus/contracts/catalog/commands'
import type { Command } from '@partsbus/contracts/message'
import { newPickUpPoint, pickUpPointPatch } from '@partsbus/contracts/stock/pick-up-point'
import { newPriceList, priceListPatch, priceListVersions } from '@partsbus/contracts/pricing-import/price-list'
import {
  cancelImportTask,
  createPriceList,
  deletePriceList,
  getImportTask,
  getPriceList,
  listImportTasks,
  listPriceLists,
  listSkippedRows,
  listVersions,
  patchPriceList,
  retryImportTask,
  rollbackVersion,
  runSource,
} from '@partsbus/contracts/pricing-import/commands'
import {
  brandSynonymPatch,
  createBrandSynonym,
  deleteBrandSynonym,
  getBrandSynonym,
  listBrandSynonyms,
  newBrandSynonym,
  patchBrandSynonym,
  testStorage,
} from '@partsbus/contracts/supplier-search/commands'
import {
  createPickUpPoint,
  createStorage,
  deletePickUpPoint,
  deleteStorage,
  getPickUpPoint,
  getStorage,
  listPickUpPoints,
  listStorages,
  listSupplies,
  patchPickUpPoint,
  patchStorage,
  patchSupply,
} from '@partsbus/contracts/stock/commands'
import { supplyPatch } from '@partsbus/contracts/stock/stock-item'
import { newStorage, storagePatch } from '@partsbus/contracts/stock/storage'
import type { SettingsReference } from '../settings/settings-references.js'

type Schema = Command['request']

/** How the text of a query parameter is parsed. */
export type QueryKind = 'text' | 'integer' | 'boolean'

/**
 * How the request of the command is made: `list` from the query, `list-of` from the id and the query, `one` from the
 * id, `erp-id` from the rest of the path, `source` from the ids of a list and its source, `create` from the body,
 * `patch` is `{id, patch: body}`, `act` is the id and the fields of the body.
 */
export type Shape = 'list' | 'list-of' | 'one' | 'erp-id' | 'source' | 'create' | 'patch' | 'act'

/** An admin route that is handled by one command of a service. */
export interface ResourceRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** under `/api/admin` */
  path: string
  command: Command
  shape: Shape
  status: 200 | 201 | 204
  query?: Readonly<Record<string, QueryKind>>
  body?: Schema
  /** the body may be omitted */
  isBodyOptional?: true
  /** where the response is one field of the reply: its name and schema */
  answer?: { field: string; schema: Schema }
  /** how long the service may take in ms, where the default does not fit */
  timeoutMs?: number
  /** of a change: the action in the audit log */
  action?: string
  /** of a change that creates another kind of resource: the name of its id in the audit log */
  created?: string
  /** of a deletion: the kind of resource that settings may refer to */
  settingsReference?: SettingsReference
}

const list = (path: string, command: Command, query: Record<string, QueryKind> = {}): ResourceRoute => ({
  method: 'GET',
  path,
  command,
  shape: 'list',
  status: 200,
  query: { page: 'integer', per_page: 'integer', ...query },
})
const get = (path: string, command: Command): ResourceRoute => ({
  method: 'GET',
  path: `${path}/:id`,
  command,
  shape: 'one',
  status: 200,
})
/** A wildcard, because an ERP id may contain anything, slashes included. */
const getByErpId = (path: string, command: Command): ResourceRoute => ({
  method: 'GET',
  path: `${path}/by-erp-id/*`,
  command,
  shape: 'erp-id',
  status: 200,
})
const create = (path: string, command: Command, body: Schema, action: string): ResourceRoute => ({
  method: 'POST',
  path,
  command,
  shape: 'create',
  status: 201,
  body,
  action,
})
const patch = (path: string, command: Command, body: Schema, action: string): ResourceRoute => ({
  method: 'PATCH',
  path: `${path}/:id`,
  command,
  shape: 'patch',
  status: 200,
  body,
  action,
})
const remove = (
  path: string,
  command: Command,
  action: string,
  settingsReference?: SettingsReference,
): ResourceRoute => ({
  method: 'DELETE',
  path: `${path}/:id`,
  command,
  shape: 'one',
  status: 204,
  action,
  ...(settingsReference && { settingsReference }),
})
/** An action on a resource. Without a body, the command gets the id alone. */
const act = (path: string, command: Command, rest: Partial<ResourceRoute> = {}): ResourceRoute => ({
  method: 'POST',
  path,
  command,
  shape: rest.body ? 'act' : 'one',
  status: 200,
  ...rest,
})

const versions = { field: 'versions', schema: priceListVersions }
/** A supplier has up to 10 s; a source may be a slow server with a large file. */
const SUPPLIER_MS = 15_000
const SOURCE_MS = 60_000

/** The admin API beside settings and audit: route → command → action in the audit log (admin.md#audit). */
export const resourceRoutes: readonly ResourceRoute[] = [
  list('/pick-up-points', listPickUpPoints),
  create('/pick-up-points', createPickUpPoint, newPickUpPoint, 'pick-up-point.create'),
  get('/pick-up-points', getPickUpPoint),
  patch('/pick-up-points', patchPickUpPoint, pickUpPointPatch, 'pick-up-point.patch'),
  remove('/pick-up-points', deletePickUpPoint, 'pick-up-point.delete', 'pick-up point'),

  list('/storages', listStorages),
  create('/storages', createStorage, newStorage, 'storage.create'),
  get('/storages', getStorage),
  patch('/storages', patchStorage, storagePatch, 'storage.patch'),
  remove('/storages', deleteStorage, 'storage.delete', 'storage'),
  act('/storages/:id/test', testStorage, {
    body: testStorage.request.pick({ article: true }).meta({ id: 'StorageTest' }),
    timeoutMs: SUPPLIER_MS,
  }),

  list('/brand-synonyms', listBrandSynonyms),
  create('/brand-synonyms', createBrandSynonym, newBrandSynonym, 'brand-synonym.create'),
  get('/brand-synonyms', getBrandSynonym),
  patch('/brand-synonyms', patchBrandSynonym, brandSynonymPatch, 'brand-synonym.patch'),
  remove('/brand-synonyms', deleteBrandSynonym, 'brand-synonym.delete'),

  list('/price-lists', listPriceLists),
  create('/price-lists', createPriceList, newPriceList, 'price-list.create'),
  get('/price-lists', getPriceList),
  patch('/price-lists', patchPriceList, priceListPatch, 'price-list.patch'),
  { ...remove('/price-lists', deletePriceList, 'price-list.delete'), query: { with_history: 'boolean' } },
  {
    method: 'GET',
    path: '/price-lists/:id/versions',
    command: listVersions,
    shape: 'one',
    status: 200,
    answer: versions,
  },
  act('/price-lists/:id/rollback', rollbackVersion, {
    body: rollbackVersion.request.pick({ version: true }).meta({ id: 'Rollback' }),
    isBodyOptional: true,
    answer: versions,
    action: 'price-list.rollback',
  }),
  act('/price-lists/:id/sources/:source_id/run', runSource, {
    shape: 'source',
    action: 'price-list-source.run',
    timeoutMs: SOURCE_MS,
  }),

  list('/import-tasks', listImportTasks, { price_list_id: 'integer', status: 'text' }),
  get('/import-tasks', getImportTask),
  { ...list('/import-tasks/:id/skipped', listSkippedRows), shape: 'list-of' },
  act('/import-tasks/:id/cancel', cancelImportTask, { action: 'import-task.cancel' }),
  act('/import-tasks/:id/retry', retryImportTask, { action: 'import-task.retry', created: 'task_id' }),

  list('/categories', listCategories, { after_id: 'integer' }),
  get('/categories', getCategory),
  getByErpId('/categories', getCategory),

  list('/products', listProducts, { after_id: 'integer', q: 'text', category_id: 'integer', trashed: 'boolean' }),
  get('/products', getProduct),
  getByErpId('/products', getProduct),

  list('/supplies', listSupplies, { product_erp_id: 'text', storage_id: 'integer', pick_up_point_id: 'integer' }),
  patch('/supplies', patchSupply, supplyPatch, 'supply.patch'),

  list('/media-jobs', listMediaJobs, { after_id: 'integer', status: 'text' }),
  act('/media-jobs/:id/retry', retryMediaJob, { action: 'media-job.retry' }),
]

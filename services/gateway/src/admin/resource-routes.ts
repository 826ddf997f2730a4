import {
  getCategory, getProduct, listCategories, listMediaJobs, listProducts, retryMediaJob,
} from '@partsbus/contracts/catalog'
import type { Command } from '@partsbus/contracts/message'
import { newPickUpPoint, pickUpPointPatch } from '@partsbus/contracts/pick-up-point'
import {
  createPickUpPoint, createStorage, deletePickUpPoint, deleteStorage, getPickUpPoint, getStorage, listPickUpPoints, listStorages,
  listSupplies, patchPickUpPoint, patchStorage, patchSupply,
} from '@partsbus/contracts/stock'
import { supplyPatch } from '@partsbus/contracts/stock-item'
import { newStorage, storagePatch } from '@partsbus/contracts/storage'
import type { SettingsReference } from './settings-references.js'

type Schema = Command['request']

/** How the text of a query parameter is read. */
export type QueryKind = 'text' | 'integer' | 'boolean'

/**
 * What a route asks of its command: `list` sends the query, `one` the id, `erp-id` the rest of the path,
 * `create` the body, `patch` `{id, patch: body}`.
 */
export type Shape = 'list' | 'one' | 'erp-id' | 'create' | 'patch'

/** One admin route that is answered by one command of a service. */
export interface ResourceRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** under `/api/admin` */
  path: string
  command: Command
  shape: Shape
  status: 200 | 201 | 204
  query?: Readonly<Record<string, QueryKind>>
  body?: Schema
  /** of a change: its action in the audit log */
  action?: string
  /** of a removal: the settings that may refer to the resource */
  kept?: SettingsReference
}

const list = (path: string, command: Command, query: Record<string, QueryKind> = {}): ResourceRoute =>
  ({ method: 'GET', path, command, shape: 'list', status: 200, query: { page: 'integer', per_page: 'integer', ...query } })
const get = (path: string, command: Command): ResourceRoute =>
  ({ method: 'GET', path: `${path}/:id`, command, shape: 'one', status: 200 })
/** A wildcard, since an ERP id may hold anything, slashes included. */
const getByErpId = (path: string, command: Command): ResourceRoute =>
  ({ method: 'GET', path: `${path}/by-erp-id/*`, command, shape: 'erp-id', status: 200 })
const create = (path: string, command: Command, body: Schema, action: string): ResourceRoute =>
  ({ method: 'POST', path, command, shape: 'create', status: 201, body, action })
const patch = (path: string, command: Command, body: Schema, action: string): ResourceRoute =>
  ({ method: 'PATCH', path: `${path}/:id`, command, shape: 'patch', status: 200, body, action })
const remove = (path: string, command: Command, action: string, kept: SettingsReference): ResourceRoute =>
  ({ method: 'DELETE', path: `${path}/:id`, command, shape: 'one', status: 204, action, kept })

/** The admin API beside settings and audit: route → command → action in the audit log (admin document). */
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

  list('/categories', listCategories),
  get('/categories', getCategory),
  getByErpId('/categories', getCategory),

  list('/products', listProducts, { q: 'text', category_id: 'integer', trashed: 'boolean' }),
  get('/products', getProduct),
  getByErpId('/products', getProduct),

  list('/supplies', listSupplies, { product_erp_id: 'text', storage_id: 'integer', pick_up_point_id: 'integer' }),
  patch('/supplies', patchSupply, supplyPatch, 'supply.patch'),

  list('/media-jobs', listMediaJobs, { status: 'text' }),
  { method: 'POST', path: '/media-jobs/:id/retry', command: retryMediaJob, shape: 'one', status: 200, action: 'media-job.retry' },
]

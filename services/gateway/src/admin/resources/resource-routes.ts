import type { AdminPath } from '@partsbus/contracts/admin/paths'
import * as accounts from '@partsbus/contracts/administration/accounts'
import { listAudit } from '@partsbus/contracts/administration/audit'
import * as settings from '@partsbus/contracts/administration/settings'
import * as catalog from '@partsbus/contracts/catalog/commands'
import type { Command } from '@partsbus/contracts/message'
import * as pricing from '@partsbus/contracts/pricing-import/commands'
import * as stock from '@partsbus/contracts/stock/commands'
import * as search from '@partsbus/contracts/supplier-search/commands'
import { testSupplier } from '@partsbus/contracts/supplier-search/overview'

/**
 * A call of the admin API that is handled by one command of a service. The request of the command consists of the
 * parameters of the path, the query and the fields of the body; the body of a PATCH is its field `patch`.
 */
export interface ResourceRoute {
  command: Command
  /** where the answer is one field of the reply */
  answerField?: string
  /** makes the answer of the reply and the request where they differ */
  toAnswer?: (reply: object, input: Readonly<Record<string, unknown>>) => unknown
  /** of a change of another service than that of the audit log: the action in the audit log */
  action?: string
  /** of a change that creates another kind of resource: the name of its id in the audit log */
  created?: string
  /** the command takes the name of the administrator as `created_by` */
  namesCreator?: true
  /** of a deletion: the kind of resource that settings may refer to */
  settingsReference?: settings.SettingsReference
  /** of a change after which the resource may refer to a storage of another service */
  namesStorage?: true
  /** of a change that the service of the audit log records itself: the command takes who asked as `caller` */
  namesCaller?: true
  /** fields of the request that the call does not have */
  fixed?: object
  /** how long the service may take in ms, where the default does not fit */
  timeoutMs?: number
}

/** A settings change waits for gateways that do not acknowledge it (rules.md#settings-change). */
const timeoutMs = settings.SETTINGS_EXPIRE_MS + 5_000
const change = { namesCaller: true } as const
const settingsChange = { ...change, timeoutMs } as const

/** Call → command → action in the audit log (admin.md#audit). */
export const resourceRoutes = {
  'GET /settings': { command: settings.showSettings },
  'PATCH /settings': { command: settings.patchSettings, ...settingsChange },
  'POST /settings/erp-token': { command: settings.issueApiToken, fixed: { audience: 'erp' }, ...settingsChange },
  'DELETE /settings/erp-token': { command: settings.revokeApiToken, fixed: { audience: 'erp' }, ...settingsChange },
  'POST /settings/b2b-token': { command: settings.issueApiToken, fixed: { audience: 'b2b' }, ...settingsChange },
  'DELETE /settings/b2b-token': { command: settings.revokeApiToken, fixed: { audience: 'b2b' }, ...settingsChange },
  'GET /audit': { command: listAudit },

  'GET /administrators': { command: accounts.listAdministrators },
  'POST /administrators': { command: accounts.createAdministrator, ...change },
  'GET /administrators/:id': { command: accounts.getAdministrator },
  'PATCH /administrators/:id': { command: accounts.patchAdministrator, ...change },
  'DELETE /administrators/:id': { command: accounts.deleteAdministrator, ...change },
  'POST /administrators/:id/invitation': { command: accounts.inviteAdministrator, ...change },
  'DELETE /administrators/:id/sessions': { command: accounts.closeAdministratorSessions, ...change },

  'GET /pick-up-points': { command: stock.listPickUpPoints },
  'POST /pick-up-points': { command: stock.createPickUpPoint, action: 'pick-up-point.create' },
  'GET /pick-up-points/:id': { command: stock.getPickUpPoint },
  'PATCH /pick-up-points/:id': { command: stock.patchPickUpPoint, action: 'pick-up-point.patch' },
  'DELETE /pick-up-points/:id': {
    command: stock.deletePickUpPoint,
    action: 'pick-up-point.delete',
    settingsReference: 'pick-up point',
  },

  'GET /storages': { command: stock.listStorages },
  'POST /storages': { command: stock.createStorage, action: 'storage.create' },
  'GET /storages/:id': { command: stock.getStorage },
  'PATCH /storages/:id': { command: stock.patchStorage, action: 'storage.patch' },
  'DELETE /storages/:id': { command: stock.deleteStorage, action: 'storage.delete', settingsReference: 'storage' },
  'POST /storages/:id/test': { command: search.testStorage },
  'POST /storages/test': { command: testSupplier },

  'GET /brand-synonyms': { command: search.listBrandSynonyms },
  'POST /brand-synonyms': { command: search.createBrandSynonym, action: 'brand-synonym.create' },
  'GET /brand-synonyms/:id': { command: search.getBrandSynonym },
  'PATCH /brand-synonyms/:id': { command: search.patchBrandSynonym, action: 'brand-synonym.patch' },
  'DELETE /brand-synonyms/:id': { command: search.deleteBrandSynonym, action: 'brand-synonym.delete' },

  'GET /price-lists': { command: pricing.listPriceLists },
  'POST /price-lists': { command: pricing.createPriceList, action: 'price-list.create', namesStorage: true },
  'GET /price-lists/:id': { command: pricing.getPriceList },
  'PATCH /price-lists/:id': { command: pricing.patchPriceList, action: 'price-list.patch', namesStorage: true },
  'DELETE /price-lists/:id': { command: pricing.deletePriceList, action: 'price-list.delete' },
  'GET /price-lists/:id/versions': { command: pricing.listVersions, answerField: 'versions' },
  'POST /price-lists/:id/rollback': {
    command: pricing.rollbackVersion,
    answerField: 'versions',
    action: 'price-list.rollback',
  },
  'POST /price-lists/:id/sources/:source_id/run': { command: pricing.runSource, action: 'price-list-source.run' },

  'GET /import-tasks/:id': { command: pricing.getImportTask },
  'GET /import-tasks/:id/skipped': { command: pricing.listSkippedRows },
  'POST /import-tasks/:id/cancel': { command: pricing.cancelImportTask, action: 'import-task.cancel' },
  'POST /import-tasks/:id/retry': {
    command: pricing.retryImportTask,
    action: 'import-task.retry',
    created: 'task_id',
    namesCreator: true,
  },

  'GET /categories': { command: catalog.listCategories },
  'GET /categories/:id': { command: catalog.getCategory },
  'GET /categories/by-erp-id/*': { command: catalog.getCategory },
  'GET /products': {
    command: catalog.listProducts,
    toAnswer: (reply, { count }) => (count === false ? { ...reply, total: null } : reply),
  },
  'GET /products/:id': { command: catalog.getProduct },
  'GET /products/by-erp-id/*': { command: catalog.getProduct },
  'GET /supplies': { command: stock.listSupplies },
  'GET /supplies/:id': { command: stock.getSupply },
  'PATCH /supplies/:id': { command: stock.patchSupply, action: 'supply.patch' },
  'GET /media-jobs': { command: catalog.listMediaJobs },
  'POST /media-jobs/retry': { command: catalog.retryMediaJobs, action: 'media-job.retry' },
  'POST /media-jobs/:id/retry': { command: catalog.retryMediaJob, action: 'media-job.retry' },
} as const satisfies Partial<Record<AdminPath, ResourceRoute>>

/** A call that a command of a service handles. */
export type ResourcePath = keyof typeof resourceRoutes

export function resourceRoute(path: AdminPath): ResourceRoute | undefined {
  return Object.hasOwn(resourceRoutes, path) ? resourceRoutes[path as ResourcePath] : undefined
}

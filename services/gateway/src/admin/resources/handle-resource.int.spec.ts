import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { retryMediaJob } from '@partsbus/contracts/catalog/commands'
import { AppError } from '@partsbus/contracts/app-error'
import {
  cancelImportTask,
  createPriceList,
  deletePriceList,
  patchPriceList,
  priceListsOfStorage,
  retryImportTask,
  rollbackVersion,
  runSource,
} from '@partsbus/contracts/pricing-import/commands'
import { createBrandSynonym, deleteBrandSynonym, patchBrandSynonym } from '@partsbus/contracts/supplier-search/commands'
import {
  createPickUpPoint,
  createStorage,
  deletePickUpPoint,
  deleteStorage,
  getPickUpPoint,
  getStorage,
  patchPickUpPoint,
  patchStorage,
  patchSupply,
  reserveStorageId,
} from '@partsbus/contracts/stock/commands'
import { contractViolation } from '@partsbus/contracts/violation'
import * as resources from '../../testing/resources.js'
import type { RunningGateway } from '../../start.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: RunningGateway
/** The requests to the services, by subject. */
let asked: Array<[string, unknown]>
/** Errors that the services reply with, by subject. */
let refusal: AppError | undefined
/** The price lists of storage 5. */
let priceLists: Array<{ id: number; name: string }> | AppError = []
/** Runs while a service handles this command. */
let during: { subject: string; work: () => Promise<void> } | undefined

/** As a change of the settings by another gateway, which has not seen the deletion. */
const writeReference = async (id: number): Promise<void> => {
  await stage.db
    .collection('settings')
    .updateOne({}, { $set: { 'values.erp_storage_id': id, 'values.storages_for_crosses': [6, id] }, $inc: { rev: 1 } })
}

const ask = (method: string, path: string, body?: unknown) => administer(gateway.port, method, path, body)
const audit = async () =>
  (await ask('GET', '/audit?per_page=500')).body.data as Array<{ action: string; details: Record<string, unknown> }>

beforeAll(async () => {
  stage = await openRealStage('answer_resource')
  const replies = [
    [createPickUpPoint, resources.pickUpPoint],
    [patchPickUpPoint, resources.pickUpPoint],
    [deletePickUpPoint, {}],
    [getPickUpPoint, resources.pickUpPoint],
    [getStorage, resources.storage],
    [createStorage, resources.storage],
    [patchStorage, resources.storage],
    [deleteStorage, {}],
    [patchSupply, resources.supply],
    [retryMediaJob, resources.mediaJob],
    [createPriceList, resources.priceList],
    [patchPriceList, resources.priceList],
    [deletePriceList, {}],
    [rollbackVersion, { versions: resources.versions, replaced: 38 }],
    [runSource, { task_id: 41, message: 'OK' }],
    [cancelImportTask, resources.adminImportTask],
    [retryImportTask, { ...resources.adminImportTask, id: 42 }],
    [createBrandSynonym, resources.brandSynonym],
    [patchBrandSynonym, resources.brandSynonym],
    [deleteBrandSynonym, {}],
  ] as const
  for (const [command, reply] of replies) {
    answerCommand(stage.nc, command, async ({ body }) => {
      if (!command.subject.endsWith('.get')) asked.push([command.subject, body])
      if (refusal) throw refusal
      if (during?.subject === command.subject) await during.work()
      return reply
    })
  }
  answerCommand(stage.nc, reserveStorageId, ({ body }) => {
    asked.push([reserveStorageId.subject, body])
    return { id: 90 }
  })
  answerCommand(stage.nc, priceListsOfStorage, ({ body }) => {
    if (priceLists instanceof AppError) throw priceLists
    return { price_lists: body.storage_id === 5 ? priceLists : [] }
  })
  await stage.nc.flush()
  gateway = await stage.startGateway()
})
beforeEach(async () => {
  asked = []
  refusal = undefined
  during = undefined
  priceLists = []
  await stage.db.collection('audit').deleteMany({})
})
afterAll(() => stage.close())

const source = { kind: 'ftp', host: 'ftp.example', username: 'shop', password: 'top-secret' }
const supplier = {
  kind: 'http',
  base_url: 'https://api.example/v1',
  headers: { 'X-Api-Key': 'top-secret', 'a.b': '***' },
}

describe('route → command → audit action', () => {
  const cases: Array<[string, string, unknown, number, string, unknown, string, unknown]> = [
    [
      'POST',
      '/pick-up-points',
      { name: 'P', storage_ids: [1] },
      201,
      'stock.pick-up-points.create',
      { name: 'P', storage_ids: [1] },
      'pick-up-point.create',
      { name: 'P', storage_ids: [1], id: 1 },
    ],
    [
      'PATCH',
      '/pick-up-points/4',
      { phone: '1' },
      200,
      'stock.pick-up-points.patch',
      { id: 4, patch: { phone: '1' } },
      'pick-up-point.patch',
      { id: 4, phone: '1' },
    ],
    [
      'PATCH',
      '/pick-up-points/4',
      { id: 4, phone: '2' },
      200,
      'stock.pick-up-points.patch',
      { id: 4, patch: { phone: '2' } },
      'pick-up-point.patch',
      { id: 4, phone: '2' },
    ],
    [
      'DELETE',
      '/pick-up-points/4',
      undefined,
      204,
      'stock.pick-up-points.delete',
      { id: 4 },
      'pick-up-point.delete',
      { id: 4 },
    ],
    [
      'POST',
      '/storages',
      { name: 'S', supplier },
      201,
      'stock.storages.create',
      { name: 'S', supplier },
      'storage.create',
      { name: 'S', supplier: { ...supplier, headers: { 'X-Api-Key': '***', 'a.b': '***' } }, id: 2 },
    ],
    [
      'PATCH',
      '/storages/5',
      { supplier },
      200,
      'stock.storages.patch',
      { id: 5, patch: { supplier } },
      'storage.patch',
      { id: 5, supplier: { ...supplier, headers: { 'X-Api-Key': '***', 'a.b': '***' } } },
    ],
    ['DELETE', '/storages/5', undefined, 204, 'stock.storages.delete', { id: 5 }, 'storage.delete', { id: 5 }],
    [
      'PATCH',
      '/supplies/6',
      { selling_price: 10.5, old_price: null },
      200,
      'stock.supplies.patch',
      { id: 6, patch: { selling_price: 10.5, old_price: null } },
      'supply.patch',
      { id: 6, selling_price: 10.5, old_price: null },
    ],
    [
      'POST',
      '/brand-synonyms',
      { canonical: 'BOSCH', synonyms: ['БОШ'] },
      201,
      'supplier-search.brand-synonyms.create',
      { canonical: 'BOSCH', synonyms: ['БОШ'] },
      'brand-synonym.create',
      { canonical: 'BOSCH', synonyms: ['БОШ'], id: 3 },
    ],
    [
      'PATCH',
      '/brand-synonyms/3',
      { synonyms: [] },
      200,
      'supplier-search.brand-synonyms.patch',
      { id: 3, patch: { synonyms: [] } },
      'brand-synonym.patch',
      { id: 3, synonyms: [] },
    ],
    [
      'DELETE',
      '/brand-synonyms/3',
      undefined,
      204,
      'supplier-search.brand-synonyms.delete',
      { id: 3 },
      'brand-synonym.delete',
      { id: 3 },
    ],
    [
      'POST',
      '/price-lists',
      { name: 'L', storage_id: 5, sources: [source] },
      201,
      'pricing-import.price-lists.create',
      { name: 'L', storage_id: 5, sources: [source] },
      'price-list.create',
      { name: 'L', storage_id: 5, sources: [{ ...source, password: '***' }], id: 7 },
    ],
    [
      'PATCH',
      '/price-lists/7',
      { sources: [source] },
      200,
      'pricing-import.price-lists.patch',
      { id: 7, patch: { sources: [source] } },
      'price-list.patch',
      { id: 7, sources: [{ ...source, password: '***' }] },
    ],
    [
      'DELETE',
      '/price-lists/7',
      undefined,
      204,
      'pricing-import.price-lists.delete',
      { id: 7 },
      'price-list.delete',
      { id: 7 },
    ],
    [
      'DELETE',
      '/price-lists/7?with_history=true',
      undefined,
      204,
      'pricing-import.price-lists.delete',
      { id: 7, with_history: true },
      'price-list.delete',
      { id: 7, with_history: true },
    ],
    [
      'POST',
      '/import-tasks/41/cancel',
      undefined,
      200,
      'pricing-import.tasks.cancel',
      { id: 41 },
      'import-task.cancel',
      { id: 41 },
    ],
    [
      'POST',
      '/import-tasks/41/retry',
      undefined,
      200,
      'pricing-import.tasks.retry',
      { id: 41, created_by: 'admin' },
      'import-task.retry',
      { id: 41 },
    ],
    [
      'POST',
      '/price-lists/7/sources/1/run',
      undefined,
      200,
      'pricing-import.sources.run',
      { id: 7, source_id: 1 },
      'price-list-source.run',
      { id: 7, source_id: 1, task_id: 41 },
    ],
    [
      'POST',
      '/price-lists/7/rollback',
      undefined,
      200,
      'pricing-import.versions.rollback',
      { id: 7 },
      'price-list.rollback',
      { id: 7, version: 41, replaced: 38, number: { from: 2, to: 3 } },
    ],
    [
      'POST',
      '/price-lists/7/rollback',
      { version: 38 },
      200,
      'pricing-import.versions.rollback',
      { id: 7, version: 38 },
      'price-list.rollback',
      { id: 7, version: 41, replaced: 38, number: { from: 2, to: 3 } },
    ],
    [
      'POST',
      '/media-jobs/31/retry',
      undefined,
      200,
      'catalog.media-jobs.retry',
      { id: 31 },
      'media-job.retry',
      { id: 31 },
    ],
  ]
  it.each(cases)('%s %s', async (method, path, body, status, subject, request, action, details) => {
    const answer = await ask(method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(
      status === 204
        ? {}
        : path.endsWith('rollback')
          ? resources.versions
          : path.endsWith('run')
            ? { task_id: 41, message: 'OK' }
            : expect.objectContaining({ id: expect.any(Number) }),
    )
    expect(asked).toEqual([[subject, request]])
    expect(await audit()).toMatchObject([{ actor: 'admin', action, details }])
    expect(JSON.stringify(await stage.db.collection('audit').find().toArray())).not.toContain('top-secret')
  })
  it.each(cases.filter(([method]) => method !== 'GET'))(
    'a refusal of %s %s is passed on and leaves no entry',
    async (method, path, body) => {
      refusal = new AppError('CONFLICT', 'The storage is used by supplies.')
      expect(await ask(method, path, body)).toEqual({
        status: 409,
        body: { message: 'The storage is used by supplies.', by: [] },
      })
      expect(asked).toHaveLength(1)
      expect(await audit()).toEqual([])
    },
  )
})

describe('a price list with a storage of its own (admin.md#price-list-storage)', () => {
  const body = { name: 'L', storage: { name: 'S' }, in_search: true }

  it('is created under the reserved id of the storage, and both are in the audit log', async () => {
    const answer = await ask('POST', '/price-lists', body)
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: 7 })])
    const caller = expect.objectContaining({ administrator: { id: null, name: 'admin' } })
    expect(asked).toEqual([
      [reserveStorageId.subject, {}],
      [createPriceList.subject, { ...body, storage_id: 90, caller }],
    ])
    const entries = await audit()
    expect(entries.toSorted((one, other) => one.action.localeCompare(other.action))).toMatchObject([
      { action: 'price-list.create', details: { ...body, storage_id: 90, id: 7 } },
      { action: 'storage.create', details: { name: 'S', supplier: { kind: 'price-list' }, id: 90 } },
    ])
  })

  it('leaves no entry of either when it is refused', async () => {
    refusal = new AppError('CONFLICT', 'The setting storages_for_crosses has 1000 storages already.')
    expect((await ask('POST', '/price-lists', body)).status).toBe(409)
    expect(await audit()).toEqual([])
  })
})

it('names violations that the service finds by the paths of the request body', async () => {
  refusal = contractViolation({ 'patch.storage_ids.0': ['The selected storage_ids.0 is invalid.'] })
  expect(await ask('PATCH', '/pick-up-points/4', { storage_ids: [9] })).toEqual({
    status: 422,
    body: {
      message: 'The given data was invalid.',
      errors: { 'storage_ids.0': ['The selected storage_ids.0 is invalid.'] },
      violations: [{ path: 'storage_ids.0', rule: 'invalid' }],
    },
  })
})

it('keeps a change with an unknown outcome in the audit log, and marks it', async () => {
  refusal = new AppError('TIMEOUT', 'late')
  expect((await ask('POST', '/storages', { name: 'S' })).status).toBe(504)
  expect(await audit()).toMatchObject([{ action: 'storage.create', details: { name: 'S', outcome: 'unknown' } }])
})

describe('a resource that settings refer to is not deleted', () => {
  beforeAll(async () => {
    // it runs before that of the next test
    refusal = undefined
    await ask('PATCH', '/settings', { erp_storage_id: 5, erp_pick_up_point_id: 4, storages_for_crosses: [5, 6] })
  })
  afterAll(() =>
    ask('PATCH', '/settings', { erp_storage_id: null, erp_pick_up_point_id: null, storages_for_crosses: [] }),
  )
  it.each([
    ['/storages/5', 'The storage is used by the settings erp_storage_id, storages_for_crosses.'],
    ['/storages/6', 'The storage is used by the setting storages_for_crosses.'],
    ['/pick-up-points/4', 'The pick-up point is used by the setting erp_pick_up_point_id.'],
  ])('%s', async (path, message) => {
    expect(await ask('DELETE', path)).toEqual({ status: 409, body: { message, by: expect.any(Array) } })
    expect(asked.filter(([subject]) => subject.includes('delete'))).toEqual([])
    expect(await audit()).toEqual([])
  })
  it.each([
    [[{ id: 7, name: 'North' }], 'The storage is used by the price list "North" (7).'],
    [
      Array.from({ length: 7 }, (_, at) => ({ id: at + 1, name: `L${at + 1}` })),
      'The storage is used by the price lists "L1" (1), "L2" (2), "L3" (3), "L4" (4), "L5" (5) and 2 more.',
    ],
  ])('a storage of price lists', async (lists, message) => {
    await ask('PATCH', '/settings', { erp_storage_id: null, storages_for_crosses: [6] })
    priceLists = lists
    expect(await ask('DELETE', '/storages/5')).toEqual({ status: 409, body: { message, by: expect.any(Array) } })
    expect(asked.filter(([subject]) => subject.includes('delete'))).toEqual([])
  })
  it('a storage is not deleted while its price lists are unknown', async () => {
    priceLists = new AppError('UNAVAILABLE', 'away')
    expect(await ask('DELETE', '/storages/5')).toEqual({
      status: 503,
      body: { message: 'Service temporarily unavailable.' },
    })
    expect(asked.filter(([subject]) => subject.includes('delete'))).toEqual([])
  })
  it('deletes a storage without references', async () => {
    expect((await ask('DELETE', '/storages/4')).status).toBe(204)
  })

  it('a reference written while the storage is deleted is removed from the settings', async () => {
    await ask('PATCH', '/settings', { erp_storage_id: null, storages_for_crosses: [6] })
    during = { subject: deleteStorage.subject, work: () => writeReference(8) }
    expect((await ask('DELETE', '/storages/8')).status).toBe(204)
    expect((await ask('GET', '/settings')).body).toMatchObject({ erp_storage_id: null, storages_for_crosses: [6] })
    expect((await audit())[0]).toMatchObject({ action: 'settings.patch', details: { reason: 'storage 8 was deleted' } })
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { retryMediaJob } from '@partsbus/contracts/catalog'
import { AppError } from '@partsbus/contracts/errors'
import {
  createPickUpPoint, createStorage, deletePickUpPoint, deleteStorage, getPickUpPoint, getStorage, patchPickUpPoint, patchStorage, patchSupply,
} from '@partsbus/contracts/stock'
import { contractViolation } from '@partsbus/contracts/violation'
import { mediaJob, pickUpPoint, storage, supply } from '../openapi/admin-examples.js'
import type { RunningGateway } from '../start.js'
import { administer, answerCommand, openRealStage } from '../testing/real-gateway.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
let gateway: RunningGateway
/** What the services were asked, by subject. */
let asked: Array<[string, unknown]>
/** What they say instead of doing it. */
let refusal: AppError | undefined

const ask = (method: string, path: string, body?: unknown) => administer(gateway.port, method, path, body)
const audit = async () => (await ask('GET', '/audit?per_page=500')).body.data as Array<{ action: string; details: Record<string, unknown> }>

beforeAll(async () => {
  stage = await openRealStage('answer_resource')
  const replies = [
    [createPickUpPoint, pickUpPoint], [patchPickUpPoint, pickUpPoint], [deletePickUpPoint, {}], [getPickUpPoint, pickUpPoint], [getStorage, storage],
    [createStorage, storage], [patchStorage, storage], [deleteStorage, {}], [patchSupply, supply], [retryMediaJob, mediaJob],
  ] as const
  for (const [command, reply] of replies) {
    answerCommand(stage.nc, command, ({ body }) => {
      asked.push([command.subject, body])
      if (refusal) throw refusal
      return reply
    })
  }
  await stage.nc.flush()
  gateway = await stage.startGateway()
}, 60_000)
beforeEach(async () => {
  asked = []
  refusal = undefined
  await stage.db.collection('audit').deleteMany({})
})
afterAll(() => stage.close())

const supplier = { kind: 'http', base_url: 'https://api.example/v1', headers: { 'X-Api-Key': 'top-secret', 'a.b': '***' } }

describe('route → command → audit action', () => {
  const cases: Array<[string, string, unknown, number, string, unknown, string, unknown]> = [
    ['POST', '/pick-up-points', { name: 'P', storage_ids: [1] }, 201, 'stock.pick-up-points.create', { name: 'P', storage_ids: [1] }, 'pick-up-point.create', { name: 'P', storage_ids: [1], id: 1 }],
    ['PATCH', '/pick-up-points/4', { phone: '1' }, 200, 'stock.pick-up-points.patch', { id: 4, patch: { phone: '1' } }, 'pick-up-point.patch', { id: 4, phone: '1' }],
    ['DELETE', '/pick-up-points/4', undefined, 204, 'stock.pick-up-points.delete', { id: 4 }, 'pick-up-point.delete', { id: 4 }],
    ['POST', '/storages', { name: 'S', supplier }, 201, 'stock.storages.create', { name: 'S', supplier }, 'storage.create',
      { name: 'S', supplier: { ...supplier, headers: { 'X-Api-Key': '***', 'a.b': '***' } }, id: 2 }],
    ['PATCH', '/storages/5', { supplier }, 200, 'stock.storages.patch', { id: 5, patch: { supplier } }, 'storage.patch',
      { id: 5, supplier: { ...supplier, headers: { 'X-Api-Key': '***', 'a.b': '***' } } }],
    ['DELETE', '/storages/5', undefined, 204, 'stock.storages.delete', { id: 5 }, 'storage.delete', { id: 5 }],
    ['PATCH', '/supplies/6', { selling_price: 10.5, old_price: null }, 200, 'stock.supplies.patch', { id: 6, patch: { selling_price: 10.5, old_price: null } }, 'supply.patch', { id: 6, selling_price: 10.5, old_price: null }],
    ['POST', '/media-jobs/31/retry', undefined, 200, 'catalog.media-jobs.retry', { id: 31 }, 'media-job.retry', { id: 31 }],
  ]
  it.each(cases)('%s %s', async (method, path, body, status, subject, request, action, details) => {
    const answer = await ask(method, path, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(status === 204 ? {} : expect.objectContaining({ id: expect.any(Number) }))
    expect(asked).toEqual([[subject, request]])
    expect(await audit()).toMatchObject([{ actor: 'admin', action, details }])
    expect(JSON.stringify(await stage.db.collection('audit').find().toArray())).not.toContain('top-secret')
  })
  it.each(cases.filter(([method]) => method !== 'GET'))('a refusal of %s %s is passed on and leaves no entry', async (method, path, body) => {
    refusal = new AppError('CONFLICT', 'The storage is used by supplies.')
    expect(await ask(method, path, body)).toEqual({ status: 409, body: { message: 'The storage is used by supplies.' } })
    expect(asked).toHaveLength(1)
    expect(await audit()).toEqual([])
  })
})

it('violations that the service finds are named by the paths of the body that was sent', async () => {
  refusal = contractViolation({ 'patch.storage_ids.0': ['The selected storage_ids.0 is invalid.'] })
  expect(await ask('PATCH', '/pick-up-points/4', { storage_ids: [9] })).toEqual({
    status: 422, body: { message: 'The given data was invalid.', errors: { 'storage_ids.0': ['The selected storage_ids.0 is invalid.'] } },
  })
})

it('a change whose outcome is not known stays in the audit log and says so', async () => {
  refusal = new AppError('TIMEOUT', 'late')
  expect((await ask('POST', '/storages', { name: 'S' })).status).toBe(504)
  expect(await audit()).toMatchObject([{ action: 'storage.create', details: { name: 'S', outcome: 'unknown' } }])
})

describe('422 before anybody is asked', () => {
  const cases: Array<[string, string, unknown, Record<string, string[]>]> = [
    ['POST', '/pick-up-points', {}, { name: ['The name field is required.'] }],
    ['POST', '/pick-up-points', { name: '  ' }, { name: ['The name field is required.'] }],
    ['POST', '/pick-up-points', { name: 'x'.repeat(192) }, { name: ['The name must not be greater than 191 characters.'] }],
    ['PATCH', '/pick-up-points/4', { storage_ids: ['1'], is_active: 1 }, { 'storage_ids.0': ['The storage_ids.0 must be an integer.'], is_active: ['The is_active field must be true or false.'] }],
    ['POST', '/storages', { name: 'S', supplier: { kind: 'http', base_url: 'ftp://x' } }, { 'supplier.base_url': ['The base_url must be an http or https URL.'] }],
    ['POST', '/storages', { name: 'S', supplier: { kind: 'http', base_url: 'https://x', timeout_ms: 10_001 } }, { 'supplier.timeout_ms': ['The timeout_ms must not be greater than 10000.'] }],
    ['PATCH', '/supplies/6', { quantity: 5 }, { quantity: ['The quantity field is unknown.'] }],
    ['PATCH', '/supplies/6', { selling_price: -1, reserved: 1.5 }, { selling_price: ['The selling_price must be at least 0.'], reserved: ['The reserved must be an integer.'] }],
  ]
  it.each(cases)('%s %s %j', async (method, path, body, errors) => {
    expect(await ask(method, path, body)).toEqual({ status: 422, body: { message: 'The given data was invalid.', errors } })
    expect(asked).toEqual([])
    expect(await audit()).toEqual([])
  })
})

describe('what the settings refer to is not removed', () => {
  beforeAll(() => ask('PATCH', '/settings', { erp_storage_id: 5, erp_pick_up_point_id: 4, storages_for_crosses: [5, 6] }))
  afterAll(() => ask('PATCH', '/settings', { erp_storage_id: null, erp_pick_up_point_id: null, storages_for_crosses: [] }))
  it.each([
    ['/storages/5', 'The storage is used by the settings erp_storage_id, storages_for_crosses.'],
    ['/storages/6', 'The storage is used by the setting storages_for_crosses.'],
    ['/pick-up-points/4', 'The pick-up point is used by the setting erp_pick_up_point_id.'],
  ])('%s', async (path, message) => {
    expect(await ask('DELETE', path)).toEqual({ status: 409, body: { message } })
    expect(asked).toEqual([])
    expect(await audit()).toEqual([])
  })
  it('another one is', async () => {
    expect((await ask('DELETE', '/storages/4')).status).toBe(204)
  })
})

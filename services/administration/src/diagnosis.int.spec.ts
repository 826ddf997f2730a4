import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Finding } from '@partsbus/contracts/diagnosis'
import { busHeaders } from '@partsbus/contracts/message'
import { getPickUpPoint, getStorage } from '@partsbus/contracts/stock/commands'
import { askService } from '@partsbus/platform/diagnosis/ask-service'
import { changeDocuments, type DocumentChanges } from '@partsbus/test-kit/change-documents'
import { headers } from '@nats-io/transport-node'
import { type AdministrationUnderTest, startAdministrationUnderTest } from './testing/administration-under-test.js'

jest.setTimeout(60_000)

let administration: AdministrationUnderTest
let changes: DocumentChanges

beforeAll(async () => {
  administration = await startAdministrationUnderTest()
  changes = changeDocuments(administration.db)
  for (const { subject } of [getStorage, getPickUpPoint])
    administration.connection.nc.subscribe(subject, {
      callback: (_error, message) => {
        const failed = headers()
        failed.set(busHeaders.error, 'NOT_FOUND')
        const isKnown = message.json<{ id: number }>().id === 1
        message.respond(JSON.stringify({ code: 'NOT_FOUND' }), isKnown ? {} : { headers: failed })
      },
    })
  const values = { erp_storage_id: 1, erp_pick_up_point_id: 1, storages_for_crosses: [1], maintenance: null }
  await changes.insert('settings', { _id: 'settings', rev: 1, values })
})
afterAll(() => administration?.stop())

async function findings(): Promise<Finding[]> {
  return (await askService({ request: administration.ask }, 'administration', false))?.findings ?? []
}

it('finds nothing in a healthy service', async () => {
  expect(await findings()).toEqual([])
})

describe('finds', () => {
  it.each([
    ['setting-without-target', 'a lost target', { 'values.erp_storage_id': 8 }],
    ['setting-without-target', 'a lost target in a list', { 'values.storages_for_crosses': [1, 8] }],
    ['maintenance', 'a forgotten setting', { 'values.maintenance': 'x' }],
  ])('%s: %s', async (code, _cause, $set) => {
    const undo = await changes.update('settings', 'settings', $set)
    try {
      const found = await findings()
      expect(found.map((each) => each.code)).toContain(code)
      for (const { message, advice } of found) expect([message, advice]).not.toContain('')
    } finally {
      await undo()
    }
  })
})

import { expect, it } from '@jest/globals'
import { callSettings, defaultSettings } from '@partsbus/contracts/administration/settings'
import { type AdminPath, adminRows } from '@partsbus/contracts/http/admin'
import { createLog } from '@partsbus/platform/process/log'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import type { AdminCall } from '../admin-call.js'
import type { AdminContext } from '../admin-context.js'
import { createPriceList } from '../price-lists/create-price-list.js'
import { type CommandRow, handleResource } from './handle-resource.js'

const settings = { values: defaultSettings, call: callSettings.parse(defaultSettings) } as SettingsSnapshot

/** What the services are asked in order, and when the lock is taken and given back. */
async function stepsOf(path: AdminPath, body: Record<string, unknown>): Promise<string[]> {
  const steps: string[] = []
  const ctx = {
    calls: {
      request: async ({ subject }: { subject: string }) => {
        // the audit log, and what a change replaces there
        if (!/^administration\.audit\.|\.get$/.test(subject)) steps.push(subject)
        return { id: 7, price_lists: [], settings: [], is_held: true }
      },
    },
    log: createLog('gateway', 'silent'),
    caller: { administrator: { id: 1, name: 'anna' }, request_id: 'r', address: null },
  } as unknown as AdminContext
  const params = path.includes(':id') ? { id: 7 } : {}
  if (path === 'POST /price-lists') {
    const reply = { header: () => undefined }
    await createPriceList({ ctx, body, settings, reply } as unknown as AdminCall<'POST /price-lists'>)
    return steps
  }
  await handleResource(
    ctx,
    { path, row: adminRows[path] as CommandRow },
    { params, query: {}, body, ifMatch: undefined },
    settings,
  )
  return steps
}

// admin.md#references
it('no price list names a storage while it is found unused and deleted', async () => {
  const list = { name: 'List', storage_id: 5 }
  expect(await stepsOf('POST /price-lists', list)).toEqual([
    'administration.storage-lock.acquire',
    'pricing-import.price-lists.create',
    'administration.storage-lock.release',
  ])
  expect(await stepsOf('PATCH /price-lists/:id', { storage_id: 5 })).toEqual([
    'administration.storage-lock.acquire',
    'pricing-import.price-lists.patch',
    'administration.storage-lock.release',
  ])
  expect(await stepsOf('DELETE /storages/:id', {})).toEqual([
    'administration.storage-lock.acquire',
    'administration.references.assert-unused',
    'stock.storages.delete',
    'administration.storage-lock.release',
    'administration.settings.clear-references',
  ])
})

it('no setting names a storage or a point while it is found unused and deleted', async () => {
  expect(await stepsOf('DELETE /pick-up-points/:id', {})).toEqual([
    'administration.storage-lock.acquire',
    'administration.references.assert-unused',
    'stock.pick-up-points.delete',
    'administration.storage-lock.release',
    'administration.settings.clear-references',
  ])
  expect(await stepsOf('POST /storages/:id/in-search', {})).toEqual([
    'administration.storage-lock.acquire',
    'administration.settings.set-in-search',
    'administration.storage-lock.release',
  ])
})

it('other changes do not wait for those', async () => {
  expect(await stepsOf('PATCH /price-lists/:id', { name: 'List' })).toEqual(['pricing-import.price-lists.patch'])
  expect(await stepsOf('PATCH /storages/:id', { name: 'Storage' })).toEqual(['stock.storages.patch'])
})

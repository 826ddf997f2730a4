import { expect, it } from '@jest/globals'
import { callSettings, defaultSettings } from '@partsbus/contracts/gateway/settings'
import { type AdminPath, adminRows } from '@partsbus/contracts/http/admin'
import { createLog } from '@partsbus/platform/process/log'
import { ObjectId } from 'mongodb'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import type { AdminContext } from '../admin-context.js'
import { type CommandRow, handleResource } from './handle-resource.js'

const settings = { values: defaultSettings, call: callSettings.parse(defaultSettings) } as SettingsSnapshot

/** What the services are asked in order, and when the lock is taken and given back. */
async function stepsOf(path: AdminPath, body: Record<string, unknown>): Promise<string[]> {
  const steps: string[] = []
  const ctx = {
    calls: {
      request: async ({ subject }: { subject: string }) => {
        steps.push(subject)
        return { id: 7, price_lists: [] }
      },
    },
    leases: {
      withLease: async (name: string, _options: object, work: (signal: AbortSignal) => Promise<unknown>) => {
        steps.push(`lock ${name}`)
        return work(new AbortController().signal).finally(() => steps.push('unlock'))
      },
    },
    settings: { read: async () => settings },
    audit: { begin: async () => new ObjectId(), complete: async () => undefined, delete: async () => undefined },
    mongo: { unavailable: () => undefined },
    log: createLog('gateway', 'silent'),
    caller: { administrator: { id: 1, name: 'anna' }, requestId: 'r', address: undefined },
  } as unknown as AdminContext
  const [method] = path.split(' ')
  const params = path.includes(':id') ? { id: 7 } : {}
  await handleResource(
    ctx,
    { row: adminRows[path] as CommandRow, isPatch: method === 'PATCH' },
    { params, query: {}, body, ifMatch: undefined },
    settings,
  )
  return steps
}

// admin.md#references
it('no price list names a storage while it is found unused and deleted', async () => {
  const list = { name: 'List', storage_id: 5 }
  expect(await stepsOf('POST /price-lists', list)).toEqual([
    'lock storages',
    'pricing-import.price-lists.create',
    'unlock',
  ])
  expect(await stepsOf('PATCH /price-lists/:id', { storage_id: 5 })).toEqual([
    'lock storages',
    'pricing-import.price-lists.patch',
    'unlock',
  ])
  expect(await stepsOf('DELETE /storages/:id', {})).toEqual([
    'lock storages',
    'pricing-import.price-lists.of-storage',
    'stock.storages.delete',
    'unlock',
  ])
})

it('other changes do not wait for those', async () => {
  expect(await stepsOf('PATCH /price-lists/:id', { name: 'List' })).toEqual(['pricing-import.price-lists.patch'])
  expect(await stepsOf('PATCH /storages/:id', { name: 'Storage' })).toEqual(['stock.storages.patch'])
})

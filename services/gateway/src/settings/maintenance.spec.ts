import { adminPaths } from '@partsbus/contracts/http/admin'
import { describe, expect, it } from '@jest/globals'
import { openStubApp } from '../testing/stub-app.js'
import { isOpenInMaintenance } from './maintenance.js'

const TEXT = 'Backup until 03:00 UTC.'

// admin.md#maintenance
describe('during maintenance', () => {
  it.each([
    ['erp', 'GET', '/ping', true],
    ['erp', 'GET', '/batches', true],
    ['erp', 'GET', '/full-sync/:id', true],
    ['erp', 'POST', '/products/status', true],
    ['erp', 'POST', '/categories/status', true],
    ['erp', 'GET', '/full-sync/:id/not-sent', true],
    ['erp', 'POST', '/products/batch-upsert', false],
    ['erp', 'POST', '/stocks/batch-update', false],
    ['erp', 'POST', '/full-sync', false],
    ['b2b', 'POST', '/get-pick-up-points', true],
    ['b2b', 'POST', '/get-brands', true],
    ['b2b', 'POST', '/get-parts', true],
    ['b2b', 'POST', '/get-price-list-status', true],
    ['b2b', 'POST', '/upload-price-list', false],
    ['admin', 'PATCH', '/storages/:id', false],
    ['admin', 'POST', '/price-lists/:id/preview', false],
    ['admin', 'POST', '/invitation', false],
    ['admin', 'POST', '/session', true],
    ['admin', 'PATCH', '/settings', true],
  ] as const)('%s %s %s is open: %j', (api, method, path, isOpen) => {
    expect(isOpenInMaintenance(api, method, path)).toBe(isOpen)
  })

  it('administrators read everything, and change settings, tokens and their own sessions', () => {
    const changes = adminPaths.filter((path) => {
      const [method = '', url = ''] = path.split(' ')
      return isOpenInMaintenance('admin', method, url) && !path.startsWith('GET ')
    })
    expect(changes).toHaveLength(14)
  })

  it('writes are answered 503 with the text, after authentication and 404', async () => {
    const stub = await openStubApp({ settings: { maintenance: TEXT } })
    try {
      const tokens = await stub.reset({
        maintenance: TEXT,
        erp_enabled: true,
        b2b_enabled: true,
        erp_storage_id: 1,
        erp_pick_up_point_id: 1,
      })
      const send = (url: string, token: string, method = 'POST') =>
        stub.ask({
          method,
          url,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method !== 'GET' && { body: '[]' }),
        })
      const admin = 'admin-token-of-the-specs'
      const before = stub.asked.length
      const refused = [
        [await send('/api/erp/products/batch-upsert', tokens.erp), { message: TEXT }],
        [await send('/api/b2b/upload-price-list', tokens.b2b), { result: false, message: TEXT }],
        [await send('/api/admin/storages', admin), { message: TEXT }],
      ] as const
      for (const [{ statusCode, headers, body }, answer] of refused)
        expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([503, '60', answer])
      expect(stub.asked.length).toBe(before)
      expect((await send('/api/erp/products/batch-upsert', 'wrong')).statusCode).toBe(401)
      expect((await send('/api/erp/nowhere', tokens.erp)).statusCode).toBe(404)
      expect((await send('/api/erp/ping', tokens.erp, 'GET')).statusCode).toBe(200)
      expect((await send('/api/admin/settings', admin, 'GET')).statusCode).toBe(200)
    } finally {
      await stub.close()
    }
  })
})

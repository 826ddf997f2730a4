import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { listStorages } from '@partsbus/contracts/stock/commands'
import { storage } from '../../testing/resources.js'
import { AdminBrowser } from '../../testing/admin-browser.js'
import { administer, answerCommand, openRealStage } from '../../testing/gateway-stage.js'

let stage: Awaited<ReturnType<typeof openRealStage>>
beforeAll(async () => {
  stage = await openRealStage('secret_addresses')
})
afterAll(() => stage?.close())

it('a secret in an address is hidden from viewers, and shown to whoever may change it (admin.md#secrets)', async () => {
  const { port } = await stage.startGateway()
  const base_url = 'https://a.example/search?shop=7&api_key=top-secret'
  answerCommand(stage.nc, listStorages, () => ({
    data: [{ ...storage, supplier: { ...storage.supplier, base_url } as NonNullable<typeof storage.supplier> }],
    total: 1,
    page: 1,
    per_page: 50,
  }))
  await stage.nc.flush()
  const shown = async (role: string): Promise<unknown> => {
    const { body } = await administer(port, 'POST', '/administrators', { name: `anna.${role}`, role })
    const browser = new AdminBrowser(port)
    const { token } = body.invitation as { token: string }
    await browser.send('POST', '/invitation', { token, password: 'a password of the specs' })
    const [first] = (await browser.send('GET', '/storages')).body.data as [{ supplier: { base_url: string } }]
    return first.supplier.base_url
  }
  expect(await shown('viewer')).toBe('https://a.example/search?shop=7&api_key=***')
  expect(await shown('manager')).toBe(base_url)
})

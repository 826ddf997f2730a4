import { afterAll, beforeAll, expect } from '@jest/globals'
import { type ImageHost, sendImage, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { newName } from './lists.js'
import { createPerson } from './people.js'

describePages('pictures', () => {
  const pages = usePages()
  let host: ImageHost
  let isMended = false
  beforeAll(async () => {
    host = await startImageHost((request, response) =>
      isMended ? sendImage(png(100, 8, 8))(request, response) : response.writeHead(410).end(),
    )
    await pages.admin().patch('/settings', { media_allowed_hosts: ['127.0.0.1'] })
  })
  afterAll(async () => {
    await pages.admin().patch('/settings', { media_allowed_hosts: [] })
    await host?.close()
  })

  scenario('29: a failed picture says why, and is fetched by a retry', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const erpIds = Array.from({ length: 3 }, () => newName('pictured').replace(' ', '-'))
    const storage = await admin.post<{ id: number }>('/storages', { name: newName('Warehouse') })
    const point = await admin.post<{ id: number }>('/pick-up-points', { name: newName('Point') })
    await admin.patch('/settings', {
      erp_enabled: true,
      erp_storage_id: storage.body.id,
      erp_pick_up_point_id: point.body.id,
    })
    const { token } = expectStatus(await admin.post<{ token: string }>('/settings/erp-token'), 200).body
    const erp = new ApiClient(`${pages.product().url}/api/erp`, { authorization: `Bearer ${token}` })
    const products = erpIds.map((id_erp) => ({
      id_erp,
      name: 'Pictured',
      images: [{ url: `${host.url}/${id_erp}.png` }],
    }))
    expectStatus(await erp.post('/products/batch-upsert', { products }), 200)
    erp.close()
    const failed = async () =>
      (await admin.get<{ total: number }>('/media-jobs?status=failed&host=127.0.0.1')).body.total
    expect(await waitFor(failed, (count) => count === 3, 30_000)).toBe(3)

    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open('/pictures')
    const rows = erpIds.map((id) => page.getByRole('row', { name: id }))
    await rows[0]?.getByText('410').first().waitFor()
    isMended = true
    await rows[0]?.getByRole('button', { name: /^Retry/ }).click()
    await rows[0]?.waitFor({ state: 'detached' })
    const { body } = await admin.get<{ media: { width: number }[] }>(`/products/by-erp-id/${erpIds[0]}`)
    expect(body.media).toMatchObject([{ width: 8 }])

    await page.getByLabel('Host').fill('127.0.0.1')
    await page.getByRole('button', { name: 'Retry all of 127.0.0.1' }).click()
    await page.getByText('2 downloads are tried again').waitFor()
    for (const row of rows) await row.waitFor({ state: 'detached' })
    await waitFor(failed, (count) => count === 0)
  })
})

import { afterAll, beforeAll, expect } from '@jest/globals'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { withErp } from './erp.js'
import { createList, importFile, newName, priceFile } from './lists.js'

const HOSTILE = '<img src=x onerror="document.body.dataset.owned=1">'

describePages('security', () => {
  const pages = usePages()
  /** A web server of somebody else, on another port. */
  let foreign: Server
  let html = ''
  beforeAll(async () => {
    foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
    await new Promise<void>((done) => foreign.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    foreign?.closeAllConnections()
    await new Promise((done) => foreign?.close(done))
  })
  const foreignUrl = () => `http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`

  scenario('38: a form of another origin changes nothing, even with a valid cookie', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const { url } = pages.product()
    const list = await createList(admin, 'Attacked')
    const { token } = expectStatus(await admin.post<{ token: string }>('/settings/erp-token'), 200).body
    await admin.patch('/settings', { erp_enabled: true })
    await visitor.signIn()
    const submit = async (path: string, fields = '', file?: Buffer) => {
      const action = `${url}/api/admin${path}`
      html = `<form method="post" enctype="multipart/form-data" action="${action}">${fields}<button>Go</button></form>`
      await page.goto(foreignUrl())
      if (file) await page.locator('input').setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer: file })
      const asked = page.waitForRequest((request) => request.url().endsWith(path))
      await page.getByRole('button', { name: 'Go' }).click()
      const request = await asked
      const answer = await request.response()
      expect((await request.allHeaders()).cookie).toMatch(/partsbus=/)
      expect([answer?.status(), await answer?.json()]).toEqual([
        403,
        { message: 'Cross-site requests are not allowed.' },
      ])
    }
    await submit('/settings/erp-token')
    await submit(`/price-lists/${list.id}/upload`, '<input type="file" name="document">', Buffer.from(priceFile(['X'])))
    const ping = await fetch(`${url}/api/erp/ping`, { headers: { authorization: `Bearer ${token}` } })
    expect(ping.status).toBe(200)
    const tasks = await admin.get<{ total: number }>(`/import-tasks?price_list_id=${list.id}`)
    expect(tasks.body.total).toBe(0)
    await admin.patch('/settings', { erp_enabled: false })
  })

  scenario('38: the pages refuse to stand in a frame of another page', pages, async (visitor) => {
    const { page } = visitor
    await visitor.signIn()
    html = `<iframe src="${pages.product().url}/admin/"></iframe>`
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(foreignUrl())
    await refused
    const [, frame] = page.frames()
    expect(frame?.url()).not.toContain('/admin')
    const isRefusal = (problem: string) => /frame-ancestors|ERR_BLOCKED_BY/.test(problem)
    expect(visitor.problems.every(isRefusal)).toBe(true)
    visitor.problems.length = 0
  })

  scenario('38: markup in a name is shown as it is written', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const erpId = newName('hostile').replace(' ', '-')
    await withErp(admin, pages.product().url, async (erp) => {
      const product = { id_erp: erpId, name: `${HOSTILE} product`, article: erpId, brand: `${HOSTILE} brand` }
      expectStatus(await erp.post('/products/batch-upsert', { products: [product] }), 200)
    })
    const list = await createList(admin, `${HOSTILE} list`)
    const row = `"${HOSTILE.replaceAll('"', '""')} brand";${erpId};"${HOSTILE.replaceAll('"', '""')} part";3;100`
    const file = `Бренд;Артикул;Наименование;Остаток;Цена\n${row}\n`
    const task = await importFile(admin, list.id, file, '<img src=x onerror=alert(1)>.csv')
    const group = { canonical: `${HOSTILE} ${erpId}`, synonyms: [`${HOSTILE} other ${erpId}`] }
    expectStatus(await admin.post('/brand-synonyms', group), 201)
    const point = expectStatus(
      await admin.post<{ id: number }>('/pick-up-points', { name: HOSTILE, storage_ids: [list.storageId] }),
      201,
    )
    const { body } = await admin.get<{ id: number }>(`/products/by-erp-id/${erpId}`)
    await visitor.signIn()
    for (const [path, text] of [
      [`/products?q=${erpId}`, 'product'],
      [`/products/${body.id}`, 'product'],
      [`/price-lists?q=${list.name.slice(-8)}`, 'list'],
      [`/price-lists/${list.id}`, 'list'],
      [`/price-lists/${list.id}/offers`, 'part'],
      [`/imports?price_list_id=${list.id}`, '.csv'],
      [`/imports/${task.id}`, '.csv'],
      [`/price-lists/${list.id}/format?task=${task.id}`, 'part'],
      ['/brands', `other ${erpId}`],
      [`/search?article=${erpId}&point=${point.body.id}`, 'brand'],
      [`/search?article=${erpId}&point=${point.body.id}`, 'part'],
      [`/storages/${list.storageId}`, 'list'],
      ['/audit', 'list'],
    ] as const) {
      await visitor.open(path)
      // on a narrow screen, a cell repeats what its neighbours say
      const repeated = page.locator('main').getByText('<img src=x onerror=').and(page.getByText(text))
      const cells = page.locator('main').locator('th, td').filter({ hasText: '<img src=x onerror=' })
      await repeated
        .or(cells.filter({ hasText: text }))
        .filter({ visible: true })
        .first()
        .waitFor()
      expect([path, await page.locator('img[src="x"]').count()]).toEqual([path, 0])
      expect([path, await page.locator('body').getAttribute('data-owned')]).toEqual([path, null])
    }
  })
})

import { afterAll, beforeAll, expect } from '@jest/globals'
import { type FakeSupplier, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { createList, importFile, newName } from './lists.js'
import { createPerson } from './people.js'

interface Part {
  brand: string
  article: string
  price?: number
  quantity: number
  storage_name: string
}

describePages('search', () => {
  const pages = usePages()
  let supplier: FakeSupplier
  beforeAll(async () => {
    supplier = await startFakeSupplier()
  })
  afterAll(() => supplier?.close())

  scenario('27: a search shows what a partner gets, and which supplier failed', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const create = async (path: string, body: object) =>
      expectStatus(await admin.post<{ id: number }>(path, body), 201).body.id
    const list = await createList(admin, 'Supplier A')
    await importFile(admin, list.id, 'brand;article;name;quantity;price\nMAHLE;OC 1051;Filter;3;812,50\n')
    const http = (base_url: string) => ({ kind: 'http', base_url, dialect: 'standard', cache_seconds: 0 })
    const part = { brand: 'MAHLE', article: 'OC 1051', name: 'Filter' }
    supplier.offer({ brands: [part], parts: [{ ...part, quantity: 7, price: 799 }] })
    const names = { alive: newName('Alive'), dead: newName('Dead') }
    const alive = await create('/storages', { name: names.alive, supplier: http(supplier.url) })
    // nothing listens on port 1
    const dead = await create('/storages', { name: names.dead, supplier: http('http://127.0.0.1:1/') })
    const name = newName('Point of the search')
    const point = await create('/pick-up-points', { name, storage_ids: [list.storageId, alive, dead] })
    expectStatus(await admin.patch('/settings', { b2b_enabled: false }), 200)
    await visitor.signIn(await createPerson(admin, pages.product().url, 'viewer'))

    await visitor.open(`/search?point=${point}`)
    await page.getByLabel('Article', { exact: true }).fill('oc 1051')
    await page.keyboard.press('Enter')
    await page.getByText('Partial result: 1 of 3 suppliers did not answer.').waitFor()
    await page.getByText('The partner API is off: partners’ requests are refused.').waitFor()
    await page.getByText('read as OC1051').waitFor()
    const outcomes = page.getByRole('region', { name: /^Who was asked/ })
    const failed = outcomes.getByRole('row', { name: names.dead })
    await failed.getByText('failed', { exact: true }).waitFor()
    await failed.getByText(/\d ms$|\d s$/).waitFor()
    expect(await failed.getByRole('cell').last().innerText()).toMatch(/\w+/)
    await outcomes.getByRole('row', { name: names.alive }).getByText('answered').waitFor()

    await page.getByRole('button', { name: 'Offers: MAHLE OC 1051' }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    for (const name of [/^MAHLE/, /^OC 1051/])
      expect(await page.getByRole('rowheader', { name }).first().innerText()).toMatch(/\n(OC 1051 · )?Filter$/)
    await page.setViewportSize({ width: 1440, height: 900 })
    const parts = page.getByRole('region', { name: /^Offers/ })
    await parts.getByRole('cell', { name: '812.50' }).waitFor()
    const shown = await parts.getByRole('row').allInnerTexts()

    const { token } = expectStatus(await admin.post<{ token: string }>('/settings/b2b-token'), 200).body
    expectStatus(await admin.patch('/settings', { b2b_enabled: true }), 200)
    const partner = new ApiClient(`${pages.product().url}/api/b2b`, { authorization: `Bearer ${token}` })
    const question = { article: 'oc 1051', brands: ['MAHLE'], pick_up_points: [point] }
    const answer = await partner.post<{ message: string; parts: Part[] }>('/get-parts', question)
    partner.close()
    expectStatus(await admin.patch('/settings', { b2b_enabled: false }), 200)
    expectStatus(answer, 200)
    expect(answer.body.message).toBe('Partial result: 1 of 3 suppliers did not answer.')
    expect(shown.slice(1).map((row) => row.split('\t').map((cell) => cell.trim()))).toEqual(
      answer.body.parts.map(({ brand, article, price = 0, quantity, storage_name }) =>
        expect.arrayContaining([brand, article, price.toFixed(2), String(quantity), storage_name]),
      ),
    )
  })
  scenario('an article that a list has with the quantity 0 is found there', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Sold out')
    await importFile(admin, list.id, 'brand;article;name;quantity;price\nMAHLE;GONE 77;Filter;0;5\n')
    await visitor.signIn(await createPerson(admin, pages.product().url, 'viewer'))
    await visitor.open('/search?article=gone-77')
    await page.getByText(`In the price list “${list.name}” with the quantity 0`).waitFor()
    await visitor.open('/search?article=gone-78')
    await page.getByText(/No storage has this article in stock|Not in the storages that were asked/).waitFor()
    expect(await page.getByText('with the quantity 0').count()).toBe(0)
  })

  scenario('42: digits lead to an import that exists, else to their article', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Digits')
    expectStatus(await admin.post(`/storages/${list.storageId}/in-search`), 204)
    const digits = `0${Date.now()}`
    const named = await importFile(admin, list.id, `brand;article;name;quantity\nVIATTI;${digits};Tyre;4\n`)
    await visitor.signIn(await createPerson(admin, pages.product().url, 'viewer'))
    await visitor.open('/')
    const jump = async (text: string) => {
      const box = page.getByPlaceholder('Number, name or article')
      await box.fill(text)
      await box.press('Enter')
    }
    await jump(digits)
    await page.getByRole('button', { name: `Offers: VIATTI ${digits}` }).waitFor()
    const outcomes = page.getByRole('region', { name: /^Who was asked/ })
    expect(await outcomes.getByRole('row').nth(1).innerText()).toContain(list.name)
    // no import has this number
    await jump(digits.slice(1))
    await page.waitForURL((url) => url.searchParams.get('article') === digits.slice(1))
    expect(visitor.path()).toMatch(/^\/search/)

    await jump(String(named.id))
    await page.getByRole('heading', { name: `Import ${named.id}` }).waitFor()
    await page.getByRole('link', { name: `Find in the search: ${digits}` }).waitFor()
    await page.getByRole('link', { name: `Search for the article ${named.id}` }).click()
    await page.getByText(`read as ${named.id}`).waitFor()

    await importFile(admin, list.id, `brand;article;quantity\nVIATTI;${digits}9;4\n`)
    await jump(`${digits}9`)
    await page.getByText(`without a product name, so partners do not get it: ${list.name}`).waitFor()
    expect(await page.getByText('No storage has this article in stock.').count()).toBe(0)
  })
})

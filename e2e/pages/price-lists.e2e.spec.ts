import { expect } from '@jest/globals'
import type { Route } from 'playwright-core'
import { ApiClient } from '../testing/api-client.js'
import type { Part } from '../testing/partner.js'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, liveArticles, newName } from './lists.js'
import { createPerson } from './people.js'
import { dropOn, encodeWindows1251 } from './price-files.js'

const KNOWN = 'Бренд;Артикул;Наименование;Остаток;Цена\nClaris;OC-1051;Фильтр;5;1234,50\nKYB;;Амортизатор;3;5100\n'

describePages('price lists', () => {
  const pages = usePages()

  const signInAsManager = async (visitor: Visitor) => {
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
  }
  /** What a partner gets at a point for an article of Claris. */
  const partsAt = async (pointId: number): Promise<Part[]> => {
    const admin = pages.admin()
    const { token } = expectStatus(await admin.post<{ token: string }>('/settings/b2b-token'), 200).body
    expectStatus(await admin.patch('/settings', { b2b_enabled: true }), 200)
    const partner = new ApiClient(`${pages.product().url}/api/b2b`, { authorization: `Bearer ${token}` })
    try {
      const body = { article: 'OC-1051', brands: ['Claris'], pick_up_points: [pointId] }
      return expectStatus(await partner.post<{ parts: Part[] }>('/get-parts', body), 200).body.parts
    } finally {
      partner.close()
      expectStatus(await admin.patch('/settings', { b2b_enabled: false }), 200)
    }
  }

  scenario('a manager creates a list, and its page waits for the first file', pages, async (visitor) => {
    const name = newName('By hand')
    await createList(pages.admin(), 'Its storage')
    await signInAsManager(visitor)
    await visitor.open('/price-lists')
    await visitor.page.getByRole('button', { name: 'New list' }).first().click()
    const dialog = visitor.page.getByRole('dialog', { name: 'New list' })
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await visitor.page.getByRole('heading', { name: name }).waitFor()
    await visitor.page.getByText('No file yet. Drop one here').waitFor()
  })

  scenario('a file that is dropped beside the lists makes a new one', pages, async (visitor) => {
    const { page } = visitor
    const name = newName('Dropped beside')
    await createList(pages.admin(), 'Is there already')
    await signInAsManager(visitor)
    await visitor.open('/price-lists')
    await page.getByRole('table', { name: 'Price lists' }).waitFor()
    await dropOn(page.getByText('A new list is made for it.'), { name: `${name}.csv`, bytes: Buffer.from(KNOWN) })
    const dialog = page.getByRole('dialog', { name: 'New list' })
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: `File: ${name}.csv` }).waitFor()
  })

  scenario('13: a windows-1251 file is dropped on a list, shown, imported, and sold', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Dropped on', { markup_percent: 10 })
    const point = await admin.post<{ id: number }>('/pick-up-points', {
      name: list.name,
      storage_ids: [list.storageId],
    })
    expectStatus(point, 201)
    await signInAsManager(visitor)
    await visitor.open(`/price-lists?q=${encodeURIComponent(list.name)}`)
    // the upload goes on once its bar was seen
    const bar = page.getByRole('progressbar', { name: 'Upload' })
    const continueUpload = async (route: Route) => {
      await bar.waitFor()
      await route.continue()
    }
    await page.route('**/preview', continueUpload, { times: 1 })
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: list.name }) })
    await row.waitFor()
    await dropOn(row, { name: 'price.csv', bytes: encodeWindows1251(KNOWN) })
    await bar.waitFor()
    await page.getByRole('heading', { name: 'File: price.csv' }).waitFor()
    await page.getByText('found: windows-1251').waitFor({ state: 'attached' })
    await page.getByText('found: semicolon').waitFor({ state: 'attached' })
    await page.getByText('2 rows · 1 importable · 1 skipped').waitFor()
    await page.getByRole('row', { name: /^3 / }).getByText('skipped: no article').waitFor()
    expect(await liveArticles(admin, list.id)).toEqual([])
    await page.getByRole('button', { name: 'Import this file' }).click()
    // one of two rows would be left out
    await page.getByRole('button', { name: 'Import all the same' }).click()
    await page.getByRole('heading', { name: /^Import \d+$/ }).waitFor()
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Live now').waitFor()
    expect(await partsAt(point.body.id)).toMatchObject([{ article: 'OC-1051', price: 1357.95, quantity: 5 }])
  })
})

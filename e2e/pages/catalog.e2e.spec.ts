import { expect } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { ApiClient } from '../testing/api-client.js'
import { describePages, scenario, usePages } from './browser.js'
import { createPerson } from './people.js'

describePages('the catalog', () => {
  const pages = usePages()

  /** Sends by the ERP API what the pages show. */
  const fill = async (): Promise<void> => {
    const admin = pages.admin()
    const storage = await admin.post<{ id: number }>('/storages', { name: 'Warehouse of pages' })
    const point = await admin.post<{ id: number }>('/pick-up-points', { name: 'Point of pages' })
    await admin.patch('/settings', {
      erp_enabled: true,
      erp_storage_id: storage.body.id,
      erp_pick_up_point_id: point.body.id,
    })
    const { body } = await admin.post<{ token: string }>('/settings/erp-token')
    const erp = new ApiClient(`${pages.product().url}/api/erp`, { authorization: `Bearer ${body.token}` })
    try {
      const categories = [
        { id_erp: 'pages-c1', name: 'Brakes of pages' },
        { id_erp: 'pages-c2', parent_id_erp: 'pages-c1', name: 'Discs of pages' },
      ]
      const product = {
        id_erp: 'pages-p1',
        name: '<img src=x onerror=alert(1)> disc',
        article: 'PG-1',
        brand: 'KYB',
        category_id_erp: 'pages-c2',
        description_full: '<b>bold</b>',
        attributes: [{ name: 'Diameter', value: '280' }],
      }
      expectStatus(await erp.post('/categories/batch-upsert', { categories }), 200)
      expectStatus(await erp.post('/products/batch-upsert', { products: [product] }), 200)
      expectStatus(
        await erp.post('/stocks/batch-update', { stocks: [{ product_id_erp: 'pages-p1', quantity: 4 }] }),
        200,
      )
    } finally {
      erp.close()
    }
  }

  scenario('28: a product is found by its ERP id, and its price is changed with a comma', pages, async (visitor) => {
    const { page } = visitor
    await fill()
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open('/products?q=pages-p1')
    await page.getByRole('link', { name: /disc$/ }).click()
    await page.getByText('<b>bold</b>').waitFor()
    await page.getByRole('rowheader', { name: 'Diameter' }).waitFor()
    await page.getByRole('button', { name: 'Change the prices at Warehouse of pages' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Selling price').fill('1 234,5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '1,234.50' }).waitFor()
    const { body } = await pages.admin().get<{ data: { selling_price: number }[] }>('/supplies?product_erp_id=pages-p1')
    expect(body.data[0]?.selling_price).toBe(1234.5)
  })

  scenario('30: arrow keys open and walk the tree, and a reload keeps the branches', pages, async (visitor) => {
    const { page } = visitor
    await fill()
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'viewer'))
    await visitor.open('/categories')
    const parent = page.getByRole('treeitem', { name: /^Brakes of pages/ })
    await parent.focus()
    await page.keyboard.press('ArrowRight')
    const child = page.getByRole('treeitem', { name: /^Discs of pages/ })
    await child.waitFor()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('[role=treeitem]:focus').innerText()).toContain('Discs of pages')
    await page.reload()
    await child.waitFor()
    await parent.focus()
    await page.keyboard.press('ArrowLeft')
    await child.waitFor({ state: 'detached' })
  })

  scenario('31: filters are in the URL, and back restores them', pages, async (visitor) => {
    const { page } = visitor
    await fill()
    await visitor.signIn()
    await visitor.open('/products')
    await page.getByLabel('Search', { exact: true }).fill('pages-p1')
    await page.waitForURL(/q=pages-p1/)
    await page.getByRole('link', { name: /disc$/ }).click()
    await page.getByRole('heading', { name: /disc$/ }).waitFor()
    await page.goBack()
    expect(visitor.path()).toBe('/products?q=pages-p1')
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('pages-p1')
  })
})

import { afterAll, beforeAll, expect } from '@jest/globals'
import { type ImageHost, startImageHost } from '@partsbus/test-kit/image-host'
import { png } from '@partsbus/test-kit/png'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { withErp } from './erp.js'
import { newName } from './lists.js'
import { createPerson } from './people.js'

const CATEGORIES = 5_500
/** Below one branch: more than one page of them. */
const CHILDREN = 550
const BATCH = 1_000

describePages('the catalog', () => {
  const pages = usePages()
  let host: ImageHost
  beforeAll(async () => {
    host = await startImageHost()
    await pages.admin().patch('/settings', { media_allowed_hosts: ['127.0.0.1'] })
  })
  afterAll(async () => {
    await pages.admin().patch('/settings', { media_allowed_hosts: [] })
    await host?.close()
  })

  scenario('28: the jump box opens a product, and its price is changed with a comma', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const id = newName('P').replace(' ', '-')
    let warehouse = ''
    await withErp(admin, pages.product().url, async (erp, storage) => {
      warehouse = storage
      const product = {
        id_erp: id,
        name: 'A disc',
        article: `PG ${id}`,
        brand: 'KYB',
        description_full: '<b>bold</b>',
        attributes: [{ name: 'Diameter', value: '280' }],
        images: [{ url: host.put(`/${id}.png`, png(100, 12, 8)) }],
      }
      expectStatus(await erp.post('/products/batch-upsert', { products: [product] }), 200)
      expectStatus(await erp.post('/stocks/batch-update', { stocks: [{ product_id_erp: id, quantity: 4 }] }), 200)
    })
    const readMedia = async () => (await admin.get<{ media: unknown[] }>(`/products/by-erp-id/${id}`)).body.media
    await waitFor(readMedia, (media) => media.length === 1)
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'A disc' }).waitFor()
    await page.getByRole('img', { name: `${id}.png` }).waitFor()
    await page.getByText('12 × 8 px').waitFor()
    await page.getByText('<b>bold</b>').waitFor()
    await page.getByRole('rowheader', { name: 'Diameter' }).waitFor()
    await page.getByRole('row', { name: warehouse }).getByRole('cell', { name: '4', exact: true }).waitFor()
    await page.getByRole('button', { name: `Change the prices at ${warehouse}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Selling price').fill('1 234,5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: '1,234.50' }).waitFor()
    const { body } = await admin.get<{ data: { selling_price: number }[] }>(`/supplies?product_erp_id=${id}`)
    expect(body.data[0]?.selling_price).toBe(1234.5)
  })

  scenario('30: arrow keys open and walk a tree of 5,500, and a reload keeps the branches', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const tree = newName('T').replace(' ', '-')
    // below the tree's root: ten branches, each with its categories
    const rows = Array.from({ length: CATEGORIES }, (_, at) => {
      const branch = Math.floor(at / CHILDREN)
      const isBranch = at % CHILDREN === 0
      return {
        id_erp: `${tree}-${at}`,
        parent_id_erp: isBranch ? `${tree}-root` : `${tree}-${branch * CHILDREN}`,
        name: isBranch ? `${tree} branch ${branch}` : `Leaf ${at}`,
        sort: at,
      }
    })
    await withErp(admin, pages.product().url, async (erp) => {
      const all = [{ id_erp: `${tree}-root`, name: `${tree} root`, sort: 0 }, ...rows]
      for (let at = 0; at < all.length; at += BATCH)
        expectStatus(await erp.post('/categories/batch-upsert', { categories: all.slice(at, at + BATCH) }), 200)
    })
    await visitor.signIn(await createPerson(admin, pages.product().url, 'viewer'))
    await visitor.open('/categories')
    const item = (name: RegExp) => page.getByRole('treeitem', { name })
    const expectFocus = (text: string) => page.locator('[role=treeitem]:focus > div', { hasText: text }).waitFor()
    await item(new RegExp(`^${tree} root`)).focus()
    await page.keyboard.press('ArrowRight')
    await item(new RegExp(`^${tree} branch 9`)).waitFor()
    await page.keyboard.press('ArrowRight')
    await expectFocus(`${tree} branch 0`)
    await page.keyboard.press('ArrowDown')
    await expectFocus(`${tree} branch 1`)
    await page.keyboard.press('ArrowRight')
    await item(/^Leaf 551$/).waitFor()
    await page.keyboard.press('ArrowRight')
    await expectFocus('Leaf 551')
    await page.getByRole('button', { name: 'Show more' }).click()
    await item(/^Leaf 1099$/).waitFor()
    await page.reload()
    await item(/^Leaf 551$/).waitFor()
    await item(new RegExp(`^${tree} branch 1`)).focus()
    await page.keyboard.press('ArrowLeft')
    await item(/^Leaf 551$/).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowLeft')
    await expectFocus(`${tree} root`)
  })
})

import { afterAll, beforeAll, expect } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, ended, importFile, liveArticles, newName, priceFile, upload } from './lists.js'
import { createPerson } from './people.js'
import { choose } from './price-files.js'

const articles = (count: number): string[] => Array.from({ length: count }, (_, at) => `S-${at}`)

describePages('what would do harm is asked about', () => {
  const pages = usePages()
  /** answers a file without the columns of a price list */
  let supplier: Server
  beforeAll(async () => {
    supplier = createServer((_, response) => response.end('Sign in;Password\nshop;secret\n')).listen(0, '127.0.0.1')
    await once(supplier, 'listening')
  })
  afterAll(() => void supplier.close())
  const liveOffers = async (listId: number) =>
    (await pages.admin().get<{ data: { article: string; price: number }[] }>(`/price-lists/${listId}/offers`)).body.data

  scenario('a new list proposes that a file keeps half of the offers', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const { name: storage } = await createList(admin, 'Its storage')
    const name = newName('Guarded')
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open('/price-lists')
    await page.getByRole('button', { name: 'New list' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByLabel('Storage', { exact: true }).selectOption({ label: storage })
    expect(await dialog.getByLabel('Refuse a file that is much shorter').inputValue()).toBe('50')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name }).waitFor()
    const stored = await admin.get<{ data: object[] }>(`/price-lists?q=${encodeURIComponent(name)}`)
    expect(stored.body.data).toMatchObject([{ name, min_rows_ratio: 0.5 }])
  })

  scenario('a list that shrinks is imported only after a confirmation', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Shrinking')
    await importFile(admin, list.id, priceFile(articles(40)))
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}`)
    await choose(visitor, { name: 'few.csv', bytes: Buffer.from(priceFile(articles(3))) })
    const warning = 'Less than half of the live offers would be left: 37 offers fewer.'
    await page.getByText(warning).waitFor()
    await page.getByRole('button', { name: 'Import this file' }).click()
    const question = page.getByRole('dialog', { name: 'Import this file all the same?' })
    await question.getByText(warning).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await liveArticles(admin, list.id)).toHaveLength(40)
    await page.getByRole('button', { name: 'Import this file' }).click()
    await question.getByRole('button', { name: 'Import all the same' }).click()
    await page.getByText('Live now').waitFor()
    expect(await liveArticles(admin, list.id)).toHaveLength(3)
  })

  scenario('a file of which much would be left out is imported only after a confirmation', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Left out')
    const [head = '', ...rows] = priceFile(articles(10)).trim().split('\n')
    const unread = rows.slice(0, 3).map((row) => row.replace(/S-\d/, ''))
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}`)
    await choose(visitor, { name: 'gaps.csv', bytes: Buffer.from([head, ...unread, ...rows.slice(3)].join('\n')) })
    const warning = '3 rows with goods would not be imported. Are the columns right?'
    await page.getByText(warning).waitFor()
    await page.getByRole('button', { name: 'Import this file' }).click()
    const question = page.getByRole('dialog', { name: 'Import this file all the same?' })
    await question.getByText(warning).waitFor()
    await question.getByRole('button', { name: 'Import all the same' }).click()
    await page.getByText('Live now').waitFor()
    expect(await liveArticles(admin, list.id)).toHaveLength(7)
  })

  scenario('remarks are not proposed as articles', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Of remarks')
    const rows = articles(30).map((article, at) => `KYB;${at < 3 ? 'для вентиля' : ''};Шина ${article};4;100`)
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}`)
    const text = ['Бренд;№ по каталогу;Наименование;Остаток;Цена', ...rows].join('\n')
    await choose(visitor, { name: 'remarks.csv', bytes: Buffer.from(text) })
    await page.getByText('No column for: Article. Choose it above the column.').waitFor()
    await page.getByText('The column "№ по каталогу" was not taken for the article').waitFor()
    expect(await page.getByLabel('Column B').inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Import this file' }).isDisabled()).toBe(true)
  })

  scenario('a file that its list refuses cannot be imported, and the setting is named', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Refusing', { min_rows_ratio: 0.5 })
    await importFile(admin, list.id, priceFile(articles(40)))
    const few = priceFile(articles(3))
    const failed = await ended(admin, await upload(admin, list.id, few))
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    const check = page.getByText('The file does not pass the check “Refuse a file that is much shorter”.')
    await visitor.open(`/imports/${failed.id}`)
    await check.waitFor()

    await visitor.open(`/price-lists/${list.id}`)
    await choose(visitor, { name: 'few.csv', bytes: Buffer.from(few) })
    await check.waitFor()
    const importIt = page.getByRole('button', { name: 'Import this file' })
    expect(await importIt.isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Change it in the settings of the list' }).click()
    await page.getByLabel('Refuse a file that is much shorter').fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The price list is saved').waitFor()
    await page.goBack()
    await importIt.and(page.locator(':enabled')).waitFor()
    expect(await check.count()).toBe(0)
  })

  scenario('known brands are counted where they are looked for', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Of known brands')
    await admin.post('/brand-synonyms', { canonical: newName('Alone') })
    const { total } = (await admin.get<{ total: number }>('/brand-synonyms')).body
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}`)
    await choose(visitor, { name: 'known.csv', bytes: Buffer.from(priceFile(['K-1'])) })
    await page.getByLabel('Find known brands').check()
    await page.getByText(total === 1 ? '1 brand is known.' : `${total} brands are known.`).waitFor()
    expect(await page.locator('main').getByRole('link', { name: 'Brands' }).getAttribute('href')).toMatch(/\/brands$/)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Brands', exact: true }).click()
    await page.getByText('A brand may be listed without other spellings').waitFor()
  })

  const applyMarkup = async ({ page, open }: Visitor, listId: number) => {
    await open(`/price-lists/${listId}/settings`)
    const apply = page.getByRole('button', { name: 'Apply to the live offers now' })
    await page.getByLabel('Markup, %').fill('15')
    await apply.and(page.locator(':disabled')).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The live offers are as they were').waitFor()
    await apply.click()
  }
  const livePrices = async (listId: number) =>
    (await liveOffers(listId)).map(({ article, price }) => `${article} ${price}`).toSorted()

  scenario('a markup changes the live offers by one click', pages, async (visitor) => {
    const admin = pages.admin()
    const list = await createList(admin, 'Marked up')
    await importFile(admin, list.id, priceFile(['M-1', 'M-2']))
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await applyMarkup(visitor, list.id)
    await visitor.page.getByText('Live now').waitFor()
    expect(await livePrices(list.id)).toEqual(['M-1 115', 'M-2 115'])
  })

  scenario('a markup leaves what another file brought, and says so', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Of two files', { mode: 'merge' })
    await importFile(admin, list.id, priceFile(['OTHER']))
    await importFile(admin, list.id, priceFile(['LAST']))
    await admin.patch(`/price-lists/${list.id}`, { mode: 'replace' })
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await applyMarkup(visitor, list.id)
    const question = page.getByRole('dialog', { name: 'Apply it to the offers of the last file?' })
    await question.getByText('The last one has 1 offer; 1 other one keeps its price').waitFor()
    await question.getByRole('button', { name: 'Apply to this file' }).click()
    await page.getByText('Live now').waitFor()
    expect(await livePrices(list.id)).toEqual(['LAST 115', 'OTHER 100'])
  })

  scenario('arrow keys in a closed select change nothing until it is left', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'By arrows')
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}`)
    await choose(visitor, { name: 'arrows.csv', bytes: Buffer.from(priceFile(['A-1'])) })
    const fieldOf = (letter: string) => page.getByLabel(`Column ${letter}`)
    const held = () => Promise.all(['A', 'B', 'C', 'D', 'E'].map((letter) => fieldOf(letter).inputValue()))
    await waitFor(held, (fields) => fields[4] === 'price')
    await fieldOf('C').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    // its own choice moves; the columns that hold the fields it passes keep them
    expect(await held()).toEqual(['brand', 'article', 'price', 'quantity', 'price'])
    await page.keyboard.press('Escape')
    expect(await held()).toEqual(['brand', 'article', 'name', 'quantity', 'price'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    // it takes the place of the column that was found by its heading
    await waitFor(held, (fields) => fields.join() === 'brand,article,price,quantity,')
  })

  scenario('a source shows how its import ended', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const url = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}/price.csv`
    const list = await createList(admin, 'Answered', { sources: [{ kind: 'url', url, is_active: false }] })
    const { body } = await admin.get<{ sources: { id: number }[] }>(`/price-lists/${list.id}`)
    const run = await admin.post<{ task_id: number | null }>(
      `/price-lists/${list.id}/sources/${body.sources[0]?.id}/run`,
    )
    expect(run.body.task_id).toEqual(expect.any(Number))
    expect(await ended(admin, run.body.task_id ?? 0)).toMatchObject({ status: 'failed' })
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}/sources`)
    await page.getByText('Failed', { exact: true }).waitFor()
    await page.getByText(/^No column was found/).waitFor()
    expect(await page.getByText('Import started').count()).toBe(0)
  })
})

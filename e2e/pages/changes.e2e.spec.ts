import { expect } from '@jest/globals'
import { text as readText } from 'node:stream/consumers'
import { describePages, scenario, usePages } from './browser.js'
import { createList, importFile } from './lists.js'

const HEAD = 'Бренд;Артикул;Наименование;Остаток;Цена\n'
const UNCHANGED = Array.from({ length: 150 }, (_, at) => `KYB;S-${at};Strut;3;70\n`).join('')
const BEFORE = `${HEAD}KYB;A-1;Pads;3;100\nBOSCH;A-2;Pads;3;100\nBOSCH;A-3;Pads;3;100\nKYB;A-5;Pads;3;100\n${UNCHANGED}`
const AFTER = `${HEAD}KYB;A-1;Pads;5;112,5\nBOSCH;A-2;Pads;3;80\nBOSCH;A-4;Pads;3;100\nKYB;A-5;Pads;2;\n${UNCHANGED}`

// admin.md#version-changes, admin.md#change-files, admin.md#price-list-offers
describePages('what an import changed', () => {
  const pages = usePages()

  scenario('is seen by kind and brand, under its own address, and as a file', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Compared')
    const one = await importFile(pages.admin(), list.id, BEFORE)
    await visitor.signIn()
    await visitor.open(`/price-lists/${list.id}/changes`)
    await page.getByText('There is nothing to compare yet').waitFor()
    const two = await importFile(pages.admin(), list.id, AFTER)
    await visitor.open(`/price-lists/${list.id}`)
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByRole('heading', { name: 'Version 1 → 2' }).waitFor()
    const counts = page.getByRole('list', { name: 'Rows by change' })
    expect(await counts.getByRole('listitem').allTextContents()).toEqual([
      ...['new: 1', 'gone: 1', 'dearer: 1', 'cheaper: 1', 'price added: 0', 'price removed: 1'],
      ...['other changes: 0', 'unchanged: 150'],
    ])
    const table = page.getByRole('table', { name: 'Changes between two versions' })
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['A-1', 'A-2', 'A-4', 'A-5', 'A-3'])
    expect(await table.getByRole('row', { name: /A-1/ }).getByRole('cell').allInnerTexts()).toEqual([
      ...['dearer', 'KYB', 'Pads', '100.00', '112.50', '+12.50', 'Quantity: 3 → 5'],
    ])
    expect(await table.getByRole('row', { name: /A-5/ }).getByRole('cell').first().textContent()).toBe('price removed')

    // what the columns that are left out on a phone say stands below the article
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await table.getByRole('rowheader', { name: /A-1/ }).innerText()).toBe('A-1\ndearer · KYB · Pads')
    const seen = await table.getByRole('row', { name: /A-1/ }).getByRole('cell').allInnerTexts()
    expect(seen.filter((text) => text !== '')).toEqual(['112.50\nwas 100.00', '+12.50', 'Quantity: 3 → 5'])
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByLabel('Change', { exact: true }).selectOption('gone')
    await table.getByRole('rowheader', { name: 'A-1' }).waitFor({ state: 'detached' })
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['A-3'])
    await page.getByLabel('Older version').selectOption(String(two.id))
    await page.getByLabel('Newer version').selectOption(String(one.id))
    await table.getByRole('rowheader', { name: 'A-4' }).waitFor()
    await page.getByLabel('Brand').fill('bosch')
    await page.waitForURL(/brand=bosch/)
    const address = visitor.path()
    for (const part of ['kind=gone', `from=${two.id}`, `to=${one.id}`]) expect(address).toContain(part)
    await visitor.open(address)
    await table.getByRole('rowheader', { name: 'A-4' }).waitFor()

    const downloaded = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Changes as CSV' }).click()
    const download = await downloaded
    expect(download.suggestedFilename()).toBe(`Changes ${list.name} v2 to v1.csv`)
    const lines = (await readText(await download.createReadStream())).trim().split('\r\n')
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^gone;BOSCH;A-4;Pads;100;;/)])

    // none was live before the oldest one
    const rolledBack = await pages.admin().post(`/price-lists/${list.id}/rollback`, { version: one.id })
    expect(rolledBack.status).toBe(200)
    await visitor.open(`/price-lists/${list.id}/changes`)
    await page.getByText('There is no version before the active one.').waitFor()
    await page.getByText('Choose the versions to compare.').waitFor()
    expect(await page.getByText('This could not be loaded').count()).toBe(0)
    await page.getByLabel('Older version').selectOption(String(two.id))
    await table.getByRole('rowheader', { name: 'A-4' }).waitFor()
  })

  scenario('the live offers are found by brand and price, as written by people', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Filtered', { delivery_days: 3 })
    await importFile(pages.admin(), list.id, AFTER)
    await visitor.signIn()
    await visitor.open(`/price-lists/${list.id}/offers`)
    const table = page.getByRole('table', { name: 'Live offers' })
    await table.getByRole('rowheader', { name: 'S-1', exact: true }).waitFor()
    expect(await table.getByRole('row', { name: /S-1\b/ }).getByRole('cell').last().innerText()).toBe('3')
    await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor()
    await page.getByLabel('Brand').fill('Bos')
    await page.getByText('Article and brand are compared whole: a part finds nothing.').waitFor()
    await page.getByLabel('Brand').fill('Bosch')
    await table.getByRole('rowheader', { name: 'A-2', exact: true }).waitFor()
    await table.getByRole('rowheader', { name: 'S-1', exact: true }).waitFor({ state: 'detached' })
    expect(await table.getByRole('rowheader').allInnerTexts()).toEqual(['A-2', 'A-4'])
    await page.getByLabel('Price from').fill('80,5')
    await page.waitForURL(/price_from=80\.5/)
    await table.getByRole('rowheader', { name: 'A-2' }).waitFor({ state: 'detached' })
    await page.getByLabel('Price to').fill('99')
    await page.getByText('No live offer matches.').waitFor()
    expect(await page.getByLabel('Price from').inputValue()).toBe('80,5')
    await page.getByLabel('Price to').fill('')
    await table.getByRole('rowheader', { name: 'A-4' }).waitFor()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Offers as CSV' }).click()
    const csv = await readText(await (await downloaded).createReadStream())
    expect(csv.trim().split('\r\n')).toHaveLength(2)
  })
})

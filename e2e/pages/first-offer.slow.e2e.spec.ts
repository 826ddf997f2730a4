import { expect } from '@jest/globals'
import { startProduct } from '@partsbus/local-stack/running-product'
import { expectStatus, ROOT } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, importFile, priceFile } from './lists.js'
import { createPerson } from './people.js'
import { measureEffort } from './reading-time.js'

/** From the link in the terminal to an offer that is found, typing and Enter aside. */
const MAX_CLICKS = 14
/** The same for a person who reads what he needs for it, s; the token is pasted, and the machine's time not in it. */
const MAX_SECONDS = 60
/** Words around the controls on the way, so that settings that stay as they are do not become too many to pass by. */
const MAX_SHOWN = 440

async function search({ page }: Visitor, article: string): Promise<void> {
  await page.getByLabel('Article', { exact: true }).fill(article)
  await page.keyboard.press('Enter')
}

describePages('a price list and the search', () => {
  const pages = usePages(() => startProduct({ root: ROOT }))

  scenario('a new installation: from the link in the terminal to the offer in a few clicks', pages, async (visitor) => {
    const { page } = visitor
    const effort = await measureEffort(page)
    const [name, article] = ['North, daily', 'oc 1051'] as const
    const { output, adminToken, url } = pages.product()
    const link = /https?:\/\/\S+\/admin\b/.exec(output())?.[0]
    expect(link).toBe(`${url}/admin`)
    await page.goto(link ?? '')
    // nobody has a password yet (admin.md#sign-in-first)
    await page.getByLabel('Token of the installation').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Import the first price list' }).click()
    await page.getByRole('button', { name: 'New list' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    effort.type(name)
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    expect(await dialog.getByLabel('Name of a new storage').inputValue()).toBe(name)
    expect(await dialog.getByRole('checkbox', { name: 'Show in the search' }).isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Create' }).click()

    const chooser = page.waitForEvent('filechooser')
    await page.getByText('Choose a file', { exact: false }).first().click()
    const buffer = Buffer.from(priceFile(['OC-1051', 'OC-1052'], 812))
    effort.clickOutside()
    await (await chooser).setFiles({ name: 'north.csv', mimeType: 'text/csv', buffer })
    // what was found of the file, and how many rows are good
    for (const field of ['Brand', 'Article', 'Name', 'Quantity', 'Price']) effort.look(`${field} (found)`)
    effort.look(await page.getByText('2 importable').innerText())
    await page.getByRole('button', { name: 'Import this file' }).click()
    await page.getByText('Live now').first().waitFor()
    effort.look('Live now')
    expect(await page.getByText('No search asks the storage').count()).toBe(0)

    await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click()
    effort.type(article)
    await search(visitor, article)
    await page.getByText('1 of 1 storage asked').waitFor()
    effort.look('1 of 1 storage asked')
    await page.getByRole('button', { name: 'Offers: KYB OC-1051' }).click()
    await page
      .getByRole('region', { name: /^Offers/ })
      .getByRole('cell', { name: '812.00' })
      .waitFor()
    effort.look('KYB OC-1051 812.00')
    const { clicks, words, shown, seconds } = effort.soFar()
    // the mouse is heard at all, and what stands there is seen
    expect([clicks > 4, words > 60, shown > words]).toEqual([true, true, true])
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
    expect(seconds).toBeLessThan(MAX_SECONDS)
    expect(shown).toBeLessThanOrEqual(MAX_SHOWN)
  })

  scenario(
    'a live list that no search finds is shown, and mended by a manager in one click',
    pages,
    async (visitor) => {
      const { page } = visitor
      const admin = pages.admin()
      const lists = []
      for (const name of ['Doors', 'Glass', 'Bumpers', 'Lamps']) {
        const list = await createList(admin, name)
        const { id } = await importFile(admin, list.id, priceFile([`SC-${name}`]))
        lists.push({ ...list, task: id })
      }
      const [doors, glass, bumpers, lamps] = lists
      if (!doors || !glass || !bumpers || !lamps) throw new Error('unreachable')
      await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
      const include = page.getByRole('button', { name: 'Include in the search' })

      await visitor.open('/search')
      await search(visitor, 'SC-Doors')
      // admin.md#search-unasked
      await page.getByText(/Not in the storages that were asked \(\d+ of \d+\)\./).waitFor()
      await page.getByText('1 storage has it and was not asked:').waitFor()
      expect(await page.getByText('No storage has this article in stock.').count()).toBe(0)
      await page.getByRole('link', { name: doors.name }).waitFor()
      await include.click()
      await page.getByRole('button', { name: 'Offers: KYB SC-Doors' }).waitFor()
      await include.waitFor({ state: 'detached' })

      await visitor.open(`/price-lists/${glass.id}`)
      await page.getByText(`No search asks the storage “${glass.name}”`).waitFor()
      await include.click()
      await include.waitFor({ state: 'detached' })

      await visitor.open(`/imports/${bumpers.task}`)
      await page.getByText(`No search asks the storage “${bumpers.name}”`).waitFor()
      await include.click()
      await include.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: bumpers.name }).click()
      await page.getByRole('heading', { name: bumpers.name }).waitFor()

      await visitor.open('/price-lists')
      const row = page.getByRole('row', { name: lamps.name })
      await row.getByText('not in the search').waitFor()
      expect(await include.count()).toBe(1)
      await visitor.open('/')
      const problem = page.getByRole('region', { name: '1 problem' })
      await problem.getByText(`1 live price list is not in the search: ${lamps.name}`).waitFor()
      await problem.getByRole('button', { name: 'Include in the search' }).click()
      await page.getByText('All well', { exact: true }).waitFor()

      const { body } = expectStatus(await admin.get<{ storages_for_crosses: number[] }>('/settings'), 200)
      expect(body.storages_for_crosses).toEqual(expect.arrayContaining(lists.map(({ storageId }) => storageId)))
    },
  )
})

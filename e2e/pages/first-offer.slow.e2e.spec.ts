import { expect } from '@jest/globals'
import { startProduct } from '@partsbus/local-stack/running-product'
import { expectStatus, ROOT } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, importFile, priceFile } from './lists.js'
import { createPerson } from './people.js'

/** From the link in the terminal to an offer that is found, typing and Enter aside. */
const MAX_CLICKS = 14
/** In the window of the system in which a file is chosen: the file. */
const CHOOSING_CLICKS = 1

/** Counts what a person presses with the mouse. */
async function countClicks({ page }: Visitor): Promise<() => number> {
  let count = 0
  await page.exposeFunction('countClick', () => void (count += 1))
  await page.addInitScript(`addEventListener('pointerdown', () => countClick(), true)`)
  return () => count
}

async function search({ page }: Visitor, article: string): Promise<void> {
  await page.getByLabel('Article', { exact: true }).fill(article)
  await page.keyboard.press('Enter')
}

describePages('a price list and the search', () => {
  const pages = usePages(() => startProduct({ root: ROOT }))

  scenario('a new installation: from the link in the terminal to the offer in a few clicks', pages, async (visitor) => {
    const { page } = visitor
    const clicks = await countClicks(visitor)
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
    await dialog.getByLabel('Name', { exact: true }).fill('North, daily')
    expect(await dialog.getByLabel('Name of a new storage').inputValue()).toBe('North, daily')
    expect(await dialog.getByRole('checkbox', { name: 'Show in the search' }).isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Create' }).click()

    const chooser = page.waitForEvent('filechooser')
    await page.getByText('Choose a file', { exact: false }).first().click()
    const buffer = Buffer.from(priceFile(['OC-1051', 'OC-1052'], 812))
    await (await chooser).setFiles({ name: 'north.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import this file' }).click()
    await page.getByText('Live now').first().waitFor()
    expect(await page.getByText('No search asks the storage').count()).toBe(0)

    await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click()
    await search(visitor, 'oc 1051')
    await page.getByText('1 of 1 storage asked').waitFor()
    await page.getByRole('button', { name: 'Offers: KYB OC-1051' }).click()
    await page
      .getByRole('region', { name: /^Offers/ })
      .getByRole('cell', { name: '812.00' })
      .waitFor()
    const pressed = clicks() + CHOOSING_CLICKS
    // the mouse is heard at all
    expect(pressed).toBeGreaterThan(CHOOSING_CLICKS + 3)
    expect(pressed).toBeLessThanOrEqual(MAX_CLICKS)
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
      expect(await page.getByText('No storage has this article.').count()).toBe(0)
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

import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList } from './lists.js'
import { createPerson } from './people.js'
import { choose } from './price-files.js'

const TWO_PRICES = {
  name: 'prices.csv',
  bytes: Buffer.from('Бренд;Артикул;Наименование;Остаток;Цена;Розница\nKYB;E-1;Амортизатор;3;5100;6200\n'),
}

describePages('two people', () => {
  const pages = usePages()

  scenario('25: who saves second sees what the first changed, and chooses field by field', pages, async (first) => {
    const admin = pages.admin()
    const list = await createList(admin, 'Edited twice', { markup_percent: 5, delivery_days: 1 })
    const { url } = pages.product()
    const second = await pages.visit()
    for (const visitor of [first, second]) {
      await visitor.signIn(await createPerson(admin, url, 'manager'))
      await visitor.open(`/price-lists/${list.id}/settings`)
    }
    const fill = async ({ page }: typeof first, markup: string, days: string, name: string) => {
      await page.getByLabel('Markup, %').fill(markup)
      await page.getByLabel('Delivery, days').fill(days)
      await page.getByLabel('Name', { exact: true }).fill(name)
    }
    await fill(first, '10', '2', list.name)
    await fill(second, '20', '3', `${list.name}, second`)
    await first.page.getByRole('button', { name: 'Save', exact: true }).click()
    await first.page.getByText('The price list is saved').waitFor()

    const { page } = second
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'It was changed meanwhile' })
    const markup = dialog.getByRole('group', { name: 'Markup, %' })
    const days = dialog.getByRole('group', { name: 'Delivery, days' })
    await markup.getByRole('radio', { name: /^10/ }).waitFor()
    // nobody else changed the name
    expect(await dialog.getByRole('group').count()).toBe(2)
    await markup.getByRole('radio', { name: /^20/ }).check()
    await days.getByRole('radio', { name: /^2/ }).check()
    await dialog.getByRole('button', { name: 'Go on with these' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Markup, %').inputValue()).toBe('20')
    expect(await page.getByLabel('Delivery, days').inputValue()).toBe('2')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The price list is saved').waitFor()
    const { body } = await admin.get(`/price-lists/${list.id}`)
    expect(body).toMatchObject({ markup_percent: 20, delivery_days: 2, name: `${list.name}, second` })
  })

  const openMapping = async (visitor: Visitor, what: string): Promise<string> => {
    const { id } = await createList(pages.admin(), what)
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${id}`)
    await choose(visitor, TWO_PRICES)
    await visitor.page.getByRole('cell', { name: '5,100.00', exact: true }).waitFor()
    return `/price-lists/${id}`
  }
  const conflictOf = ({ page }: Visitor) => page.getByRole('dialog', { name: 'It was changed meanwhile' })

  // admin.md#revisions
  scenario('25: a format that another person saved is not overwritten by an older draft', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const path = await openMapping(visitor, 'Mapped twice')
    await page.getByLabel('Of rows with the same brand and article').selectOption('first')
    const theirs = { encoding: 'utf-8', duplicates: 'cheapest' }
    const saved = expectStatus(await admin.patch(path, { format: theirs }), 200)
    let shown: string | undefined
    page.on('response', (response) => {
      if (response.url().endsWith(`/api/admin${path}`)) shown = response.headers().etag
    })
    // the window is shown again, and the list is read
    await waitFor(
      async () => {
        await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
        return shown
      },
      (etag) => etag === saved.headers.etag,
    )
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const dialog = conflictOf(visitor)
    for (const button of [save, page.getByRole('button', { name: 'Save and import this file' })]) {
      await button.click()
      await dialog.getByRole('radio', { name: /^cheapest/ }).waitFor()
      expect(await dialog.getByRole('group').count()).toBe(1)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect((await admin.get<{ format: object }>(path)).body.format).toEqual(theirs)
    }
    await save.click()
    await dialog.getByRole('button', { name: 'Go on with these' }).click()
    await dialog.waitFor({ state: 'detached' })
    await save.click()
    await page.getByText('The format is saved').waitFor()
    expect((await admin.get(path)).body).toMatchObject({ format: { ...theirs, duplicates: 'first' } })
  })

  // admin.md#revisions
  scenario('25: a file is imported only as it was shown', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const path = await openMapping(visitor, 'Shown and imported')
    expectStatus(await admin.patch(path, { format: { columns: { price: 'F' } } }), 200)
    const importIt = page.getByRole('button', { name: 'Import this file' })
    await importIt.click()
    await page.getByText('It was changed meanwhile').waitFor()
    await page.getByRole('cell', { name: '6,200.00', exact: true }).waitFor()
    expect((await admin.get(`/import-tasks?price_list_id=${path.split('/').at(-1)}`)).body).toMatchObject({ total: 0 })
    await importIt.click()
    await page.getByText('Live now').waitFor()
    expect((await admin.get(`${path}/offers`)).body).toMatchObject({ data: [{ price: 6200 }] })
  })
})

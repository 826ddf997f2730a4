import { expect } from '@jest/globals'
import { describePages, scenario, usePages } from './browser.js'
import { createList } from './lists.js'
import { createPerson } from './people.js'

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
})

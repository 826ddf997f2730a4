import { expect } from '@jest/globals'
import { describePages, scenario, usePages } from './browser.js'
import { createList } from './lists.js'
import { createPerson } from './people.js'

describePages('offline', () => {
  const pages = usePages()

  scenario('37: what is typed offline stays, and is saved when the connection is back', pages, async (visitor) => {
    const { page, context } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Offline')
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${list.id}/settings`)
    await page.getByLabel('Markup, %').fill('7,5')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect(await save.isEnabled()).toBe(true)
    await context.setOffline(true)
    await page.getByText(/^You are offline\./).waitFor()
    expect(await save.isEnabled()).toBe(false)
    await page.getByLabel('Delivery, days').fill('3')
    await context.setOffline(false)
    await page.getByText(/^You are offline\./).waitFor({ state: 'detached' })
    await save.click()
    await page.getByText('The price list is saved').waitFor()
    const { body } = await admin.get(`/price-lists/${list.id}`)
    expect(body).toMatchObject({ markup_percent: 7.5, delivery_days: 3 })
  })
})

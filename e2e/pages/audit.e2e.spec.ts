import { expect } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { createList, importFile, newName, priceFile } from './lists.js'
import { createPerson } from './people.js'

describePages('audit', () => {
  const pages = usePages()

  scenario('34: what one person did is found, with before and after, and without secrets', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Rolled back')
    await importFile(admin, list.id, priceFile(['A-1']))
    await importFile(admin, list.id, priceFile(['A-2']))
    const before = await admin.post<{ last4: string }>('/settings/b2b-token')
    const pavel = await createPerson(admin, pages.product().url, 'owner')
    await visitor.signIn(pavel)
    await visitor.open(`/price-lists/${list.id}`)
    await page.getByRole('button', { name: /^Make it live/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make it live' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visitor.open('/settings/b2b')
    await page.getByRole('button', { name: 'Issue a new one' }).click()
    const question = page.getByRole('dialog')
    await question.getByRole('textbox').fill('PARTNERS')
    await question.getByRole('button', { name: 'Issue a new one' }).click()
    const shown = page.getByRole('dialog', { name: 'The new token' })
    const token = await shown.getByLabel('The new token').inputValue()
    await shown.getByRole('button', { name: 'I have kept it' }).click()

    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByLabel('Person').fill(pavel.name)
    await page.waitForURL(new RegExp(`actor=${pavel.name}`))
    const expectDetails = async (name: string, text: string) => {
      await page.getByRole('button', { name: `Details: ${name}` }).click()
      await page.getByRole('table').getByText(text).first().waitFor()
    }
    // by their numbers in the list
    await expectDetails('Price list rolled back', '2 → 1')
    await expectDetails('Partner token issued', `${before.body.last4} → ${token.slice(-4)}`)
    const actions = await page.getByRole('table').getByRole('rowheader').allInnerTexts()
    expect(actions.filter((action) => !/^(Signed in|Invitation accepted)$/.test(action))).toEqual([
      'Partner token issued',
      'Price list rolled back',
    ])
    expect(await page.content()).not.toContain(token)
  })

  scenario('a change has old and new values under the names of its form', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Marked up', { markup_percent: 11 })
    expectStatus(await admin.patch(`/price-lists/${list.id}`, { markup_percent: 15, mode: 'replace' }), 200)
    const brand = newName('Brand')
    const group = expectStatus(await admin.post<{ id: number }>('/brand-synonyms', { canonical: brand }), 201)
    expectStatus(await admin.delete(`/brand-synonyms/${group.body.id}`), 204)
    await visitor.signIn()
    await visitor.open(`/audit?entity=price-list&entity_id=${list.id}`)
    await page.getByRole('button', { name: 'Details: Price list changed' }).click()
    await page.getByText('11 → 15').waitFor()
    await page.getByText('Markup, %').waitFor()
    // what was sent and is the same
    expect(await page.getByText('replace', { exact: true }).count()).toBe(0)
    await visitor.open(`/audit?entity=brand-synonym&entity_id=${group.body.id}`)
    // what was deleted has its name
    await page.getByRole('row').filter({ hasText: 'deleted' }).getByText(`Brand ${brand}`).waitFor()
  })
  scenario('the token, the own account and the search have words', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Included')
    expectStatus(await admin.post(`/storages/${list.storageId}/in-search`), 204)
    const person = await createPerson(admin, pages.product().url, 'manager')
    await visitor.signIn(person)
    const own = await visitor.context.request.patch(`${pages.product().url}/api/admin/session`, {
      headers: { origin: pages.product().url },
      data: { theme: 'dark' },
    })
    expect(own.status()).toBe(200)
    await visitor.open(`/audit?entity=administrator&entity_id=${person.id}`)
    await page.getByRole('rowheader', { name: 'Own account changed' }).waitFor()
    expect(await page.getByLabel('Person').getAttribute('placeholder')).toBe('the whole username')
    const invited = page.getByRole('row').filter({ hasText: 'Administrator invited' })
    await invited.getByText('Token of the installation').waitFor()

    await visitor.open('/audit?action=settings.patch')
    await page.getByText(`Storage ${list.name} was included in the search`).first().waitFor()
    await page.getByLabel('Person').fill('Token of the installation')
    await page.waitForURL(/actor=admin/)
    await page.getByText(`Storage ${list.name} was included in the search`).first().waitFor()
  })
})

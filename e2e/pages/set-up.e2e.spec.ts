import { expect } from '@jest/globals'
import { type FakeSupplier, startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { createPerson } from './people.js'

describePages('set-up', () => {
  const pages = usePages()

  const asked = async (path: string, token: string): Promise<number> => {
    const answer = await fetch(`${pages.product().url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return answer.status
  }

  scenario('7: a bad address is refused at its field, which is focused', pages, async (visitor) => {
    const { page } = visitor
    await visitor.signIn()
    await visitor.open('/settings/erp')
    await page.getByLabel('Allowed addresses').fill('10.0.0.999')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    const field = page.getByLabel('Allowed addresses')
    await page.getByRole('alert').getByRole('link', { name: 'Allowed addresses' }).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(':focus').getAttribute('id')).toBe(await field.getAttribute('id'))
  })

  scenario('8: a new ERP token needs its word, is shown once, and replaces the old one', pages, async (visitor) => {
    const { page } = visitor
    const before = await pages.admin().post<{ token: string; last4: string }>('/settings/erp-token')
    expectStatus(before, 200)
    await pages.admin().patch('/settings', { erp_enabled: true })
    await visitor.signIn()
    await visitor.open('/settings/erp')
    await page.getByRole('button', { name: 'Issue a new one' }).click()
    const question = page.getByRole('dialog', { name: 'Issue a new token?' })
    await question.getByText(`…${before.body.last4} stops working`).waitFor()
    const confirm = question.getByRole('button', { name: 'Issue a new one' })
    await question.getByLabel(/^Type ERP/).fill('erp?')
    expect(await confirm.isDisabled()).toBe(true)
    await question.getByLabel(/^Type ERP/).fill('ERP')
    await confirm.click()
    const shown = page.getByRole('dialog', { name: 'The new token' })
    const token = await shown.getByLabel('The new token').inputValue()
    await page.keyboard.press('Escape')
    expect(await shown.isVisible()).toBe(true)
    expect(await asked('/api/erp/ping', before.body.token)).toBe(401)
    expect(await asked('/api/erp/ping', token)).toBe(200)
    await shown.getByRole('button', { name: 'I have kept it' }).click()
    await page.reload()
    await page.getByText(`…${token.slice(-4)}, issued`).waitFor()
    expect(await page.content()).not.toContain(token)
    await pages.admin().patch('/settings', { erp_enabled: false })
  })

  scenario(
    '10: an http supplier is tested before it is saved, and its secret is never shown',
    pages,
    async (visitor) => {
      const { page } = visitor
      const supplier: FakeSupplier = await startFakeSupplier()
      try {
        await visitor.signIn()
        await visitor.open('/storages/new')
        await page.getByLabel('Name', { exact: true }).fill('Supplier of the pages')
        await page.getByRole('radio', { name: "supplier's API" }).check()
        // nothing listens on port 1
        await page.getByLabel('Address').fill('http://127.0.0.1:1/')
        await page.getByRole('button', { name: 'Add a header' }).click()
        await page.getByLabel('Header', { exact: true }).fill('x-key')
        await page.getByLabel('Value of x-key').fill('a secret of the pages')
        await page.getByLabel('Article', { exact: true }).fill('OC 1051')
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByText(/^It failed after/).waitFor()
        await page.getByLabel('Address').fill(supplier.url)
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByText(/^It answered in/).waitFor()
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('heading', { name: 'Supplier of the pages' }).waitFor()
        await page.getByText('Kept').waitFor()
        expect(await page.content()).not.toContain('a secret of the pages')
      } finally {
        await supplier.close()
      }
    },
  )

  scenario('12: a storage in use says by what, and goes after its name was typed', pages, async (visitor) => {
    const { page } = visitor
    const storage = await pages
      .admin()
      .post<{ id: number }>('/storages', { name: 'In use', supplier: { kind: 'price-list' } })
    const list = await pages
      .admin()
      .post<{ id: number }>('/price-lists', { name: 'The user', storage_id: storage.body.id })
    await visitor.signIn()
    await visitor.open(`/storages/${storage.body.id}`)
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Delete In use?' })
      await dialog.getByLabel(/^Type In use/).fill('In use')
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      return dialog
    }
    const refused = await remove()
    await refused.getByText('The user').first().waitFor()
    await refused.getByRole('button', { name: 'Cancel' }).click()
    expectStatus(await pages.admin().delete(`/price-lists/${list.body.id}`), 204)
    await remove()
    await page.getByRole('heading', { name: 'Storages' }).waitFor()
    expectStatus(await pages.admin().get(`/storages/${storage.body.id}`), 404)
  })

  scenario('33: many spellings are pasted at once, and one that is taken is refused', pages, async (visitor) => {
    const { page } = visitor
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open('/brands')
    const create = async (canonical: string, pasted: string) => {
      await page.getByRole('button', { name: 'New group' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'New group' })
      await dialog.getByLabel('Brand as it is shown').fill(canonical)
      await dialog.getByLabel('Other spellings').fill(pasted)
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Save' }).click()
      return dialog
    }
    const spellings = Array.from({ length: 40 }, (_, at) => `Spelling ${at}`)
    const first = await create('Brand of the pages', spellings.join(', '))
    await first.waitFor({ state: 'detached' })
    const groups = await pages
      .admin()
      .get<{ data: { canonical: string; synonyms: string[] }[] }>('/brand-synonyms?per_page=500')
    const own = groups.body.data.find(({ canonical }) => canonical === 'Brand of the pages')
    expect(own?.synonyms).toEqual(spellings)
    const second = await create('Another brand', 'Spelling 7')
    await second.getByRole('alert').waitFor()
  })
})

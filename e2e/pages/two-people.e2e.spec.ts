import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { withErp } from './erp.js'
import { createList, newName } from './lists.js'
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
    await dialog.getByRole('button', { name: 'Use these values' }).click()
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
  scenario(
    '25: of two people who add spellings to a brand, the second sees those of the first and keeps both',
    pages,
    async (visitor) => {
      const { page } = visitor
      const admin = pages.admin()
      const canonical = newName('Brand')
      const { id } = expectStatus(
        await admin.post<{ id: number }>('/brand-synonyms', { canonical, synonyms: [`${canonical} A`] }),
        201,
      ).body
      const path = `/brand-synonyms/${id}`
      const stored = async () => (await admin.get<{ synonyms: string[] }>(path)).body.synonyms
      await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
      await visitor.open(`/brands?q=${encodeURIComponent(canonical)}`)
      await page.getByRole('button', { name: `Change ${canonical}` }).click()
      const dialog = page.getByRole('dialog', { name: `Change ${canonical}` })
      await dialog.getByLabel('Other spellings').fill(`${canonical} mine`)
      await page.keyboard.press('Enter')
      const save = async (theirs: string[]) => {
        expectStatus(await admin.patch(path, { synonyms: theirs }), 200)
        await dialog.getByRole('button', { name: 'Save' }).click()
        const conflict = conflictOf(visitor)
        await conflict.getByText(theirs.join(', '), { exact: true }).waitFor()
        expect(await stored()).toEqual(theirs)
        // a third person saves while the choice is shown
        expectStatus(await admin.patch(path, { canonical: `${canonical} shown` }), 200)
        await conflict.getByRole('button', { name: 'Use these values' }).click()
        await conflict.waitFor({ state: 'detached' })
      }
      await save([`${canonical} A`, `${canonical} theirs`])
      await dialog.getByRole('button', { name: 'Save' }).click()
      const conflict = conflictOf(visitor)
      await conflict.getByText('None of your fields was changed').waitFor()
      await conflict.getByRole('button', { name: 'Save both changes' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect((await admin.get(path)).body).toMatchObject({
        canonical: `${canonical} shown`,
        synonyms: [`${canonical} A`, `${canonical} theirs`, `${canonical} mine`],
      })
    },
  )

  // admin.md#revisions
  scenario('25: a group that another person changed is not deleted unseen', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const [canonical, added] = [newName('Brand'), newName('Added')]
    const { id } = expectStatus(
      await admin.post<{ id: number }>('/brand-synonyms', { canonical, synonyms: [] }),
      201,
    ).body
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/brands?q=${encodeURIComponent(canonical)}`)
    await page.getByRole('button', { name: `Change ${canonical}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    const asked = page.getByRole('dialog', { name: `Delete ${canonical}?` })
    await asked.getByRole('textbox').fill(canonical)
    expectStatus(await admin.patch(`/brand-synonyms/${id}`, { synonyms: [added] }), 200)
    await asked.getByRole('button', { name: 'Delete' }).click()
    await asked.getByText('It was changed meanwhile').waitFor()
    await page
      .getByRole('dialog', { name: `Change ${canonical}` })
      .getByText(added, { exact: true })
      .waitFor()
    await asked.getByRole('button', { name: 'Delete' }).click()
    await asked.waitFor({ state: 'detached' })
    expectStatus(await admin.get(`/brand-synonyms/${id}`), 404)
  })

  // admin.md#revisions
  scenario('25: a price that another person set is not overwritten unseen', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const id = newName('P').replace(' ', '-')
    await withErp(admin, pages.product().url, async (erp) => {
      expectStatus(await erp.post('/products/batch-upsert', [{ id_erp: id, name: 'A disc' }]), 200)
      expectStatus(await erp.post('/stocks/batch-update', [{ product_id_erp: id, quantity: 4 }]), 200)
    })
    const supplies = `/supplies?product_erp_id=${id}`
    const readSupply = async () => (await admin.get<{ data: { id: number }[] }>(supplies)).body.data[0]
    const product = expectStatus(await admin.get<{ id: number }>(`/products/by-erp-id/${id}`), 200).body
    await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
    await visitor.open(`/products/${product.id}`)
    await page.getByRole('button', { name: 'Change the prices at' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the prices at' })
    await dialog.getByLabel('Selling price').fill('12')
    await dialog.getByLabel('Reserved').fill('1')
    expectStatus(await admin.patch(`/supplies/${(await readSupply())?.id}`, { selling_price: 11, old_price: 15 }), 200)
    await dialog.getByRole('button', { name: 'Save' }).click()
    const conflict = conflictOf(visitor)
    await conflict.getByRole('group', { name: 'Selling price' }).getByRole('radio', { name: /^11/ }).check()
    expect(await conflict.getByRole('group').count()).toBe(1)
    await conflict.getByRole('button', { name: 'Use these values' }).click()
    await conflict.waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await readSupply()).toMatchObject({ selling_price: 11, old_price: 15, reserved: 1 })
  })

  // admin.md#tokens-issue
  scenario('8: a token that another person issued meanwhile is not replaced unseen', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const issue = async () => expectStatus(await admin.post<{ last4: string }>('/settings/b2b-token'), 200).body.last4
    const stored = async () => (await admin.get<{ b2b_token: { last4: string } }>('/settings')).body.b2b_token.last4
    const shown = await issue()
    await visitor.signIn(await createPerson(admin, pages.product().url, 'owner'))
    await visitor.open('/settings/b2b')
    for (const name of ['Issue a new one', 'Revoke']) {
      await page.getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('PARTNERS')
      const theirs = await issue()
      await dialog.getByRole('button', { name }).click()
      await dialog.getByText('It was changed meanwhile').waitFor()
      await dialog.getByText(`…${theirs}`).waitFor()
      expect(await stored()).toBe(theirs)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    expect(await stored()).not.toBe(shown)
  })

  // admin.md#revisions
  scenario('25: a format that another person saved is not overwritten by an older draft', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const path = await openMapping(visitor, 'Mapped twice')
    await page.getByLabel('Rows with the same brand and article: keep').selectOption('first')
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
    await dialog.getByRole('button', { name: 'Use these values' }).click()
    await dialog.waitFor({ state: 'detached' })
    await save.click()
    await page.getByText('The format is saved').waitFor()
    expect((await admin.get(path)).body).toMatchObject({ format: { ...theirs, duplicates: 'first' } })

    // nothing to choose: both changes are saved at once
    await page.getByLabel('Rows with the same brand and article: keep').selectOption('last')
    expectStatus(await admin.patch(path, { format: { encoding: 'auto', duplicates: 'first' } }), 200)
    await save.click()
    await dialog.getByRole('button', { name: 'Save both changes' }).click()
    await save.waitFor({ state: 'detached' })
    expect((await admin.get(path)).body).toMatchObject({ format: { encoding: 'auto', duplicates: 'last' } })
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

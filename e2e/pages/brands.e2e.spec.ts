import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { newName } from './lists.js'
import { createPerson } from './people.js'

describePages('brands', () => {
  const pages = usePages()

  scenario(
    '33: spellings that are pasted or typed count, and one that is taken leads to its group',
    pages,
    async (visitor) => {
      const { page, context } = visitor
      const brand = newName('Brand')
      const spellings = Array.from({ length: 40 }, (_, at) => `${brand} ${at}`)
      await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
      await visitor.open('/brands')
      await page.getByRole('button', { name: 'New group' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'New group' })
      await dialog.getByLabel('Brand as shown').fill(brand)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(spellings.join('\n'))})`)
      await dialog.getByLabel('Other spellings').focus()
      await page.keyboard.press('Control+V')
      await dialog.getByText(spellings[39] ?? '', { exact: true }).waitFor()
      expect(await dialog.getByRole('listitem').count()).toBe(40)
      // what stands in the field counts without having been added
      await dialog.getByLabel('Other spellings').fill(`${brand} typed`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const stored = expectStatus(
        await pages.admin().get<{ data: { synonyms: string[] }[] }>(`/brand-synonyms?q=${encodeURIComponent(brand)}`),
        200,
      )
      expect(stored.body.data.map(({ synonyms }) => synonyms)).toEqual([[...spellings, `${brand} typed`]])

      await page.getByRole('button', { name: 'New group' }).first().click()
      await dialog.getByLabel('Brand as shown').fill(newName('Another'))
      await dialog.getByLabel('Other spellings').fill(spellings[7] ?? '')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByRole('alert').getByText('It is already taken.').waitFor()
      expect(await dialog.getByLabel('Other spellings').getAttribute('aria-invalid')).toBe('true')
      await dialog.getByRole('link', { name: `The group of ${spellings[7]}` }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('rowheader', { name: brand }).waitFor()
      await waitFor(
        () => page.getByRole('rowheader').count(),
        (count) => count === 1,
      )
    },
  )

  scenario('a list of brands is pasted, and those that are there already are named', pages, async (visitor) => {
    const { page } = visitor
    const brand = newName('Listed')
    expectStatus(await pages.admin().post('/brand-synonyms', { canonical: 'x', synonyms: [`${brand} b`] }), 201)
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open('/brands')
    await page.getByRole('button', { name: 'Paste a list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste a list' })
    await dialog.getByLabel('Brands').fill(`${brand} A\n ${brand} B \n\n${brand} C\n${brand} c\n`)
    await dialog.getByRole('button', { name: 'Add 3 brands' }).click()
    await dialog.getByText('2 brands were added.').waitFor()
    await dialog.getByText(`Already there: ${brand} B.`).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await visitor.open(`/brands?q=${encodeURIComponent(brand)}`)
    await page.getByRole('rowheader', { name: `${brand} C` }).waitFor()
    expect((await page.getByRole('rowheader').allInnerTexts()).toSorted()).toEqual([`${brand} A`, `${brand} C`, 'x'])
  })
})

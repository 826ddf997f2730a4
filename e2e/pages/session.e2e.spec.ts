import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createPerson, invite } from './people.js'

describePages('sign-in', () => {
  const pages = usePages()

  const fillIn = async ({ page }: Visitor, name: string, password: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  scenario('1: leads from a page through sign-in back to that page', pages, async (visitor) => {
    const { name, password } = await createPerson(pages.admin(), pages.product().url, 'viewer')
    await visitor.open('/imports/7?page=2')
    await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(visitor.path()).toBe('/sign-in?next=%2Fimports%2F7%3Fpage%3D2')
    await fillIn(visitor, name, password)
    await visitor.page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
    expect(visitor.path()).toBe('/imports/7?page=2')
  })

  scenario('2: counts down after five wrong passwords, and opens afterwards', pages, async (visitor) => {
    const { page } = visitor
    const { name, password } = await createPerson(pages.admin(), pages.product().url, 'viewer')
    await visitor.open('/')
    for (let attempt = 1; attempt <= 5; attempt++) {
      const answered = page.waitForResponse(
        (response) => response.url().endsWith('/session') && response.status() === 401,
      )
      await fillIn(visitor, name, 'wrong password')
      await answered
    }
    await page.getByText('The name or the password is wrong.').waitFor()
    await fillIn(visitor, name, 'wrong password')
    await page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
    await expect(visitor.signIn({ name, password })).rejects.toThrow('429')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ timeout: 60_000 })
    await fillIn(visitor, name, password)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  scenario('3: opens an invitation once, and removes its token from the address', pages, async (visitor) => {
    const { page } = visitor
    const { token, name } = await invite(pages.admin(), 'manager')
    await visitor.open(`/join#${token}`)
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    expect(visitor.path()).toBe('/join')
    await page.getByLabel('The same password again').fill('another password')
    await page.getByRole('button', { name: 'Set the password and open' }).click()
    await page.getByText('The two passwords differ.').waitFor()
    await page.getByLabel('The same password again').fill('a long password')
    await page.getByRole('button', { name: 'Set the password and open' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const again = await pages.visit()
    await again.open(`/join#${token}`)
    await again.page.getByLabel('Password', { exact: true }).fill('a third password')
    await again.page.getByLabel('The same password again').fill('a third password')
    await again.page.getByRole('button', { name: 'Set the password and open' }).click()
    await again.page.getByRole('heading', { name: 'The invitation is no longer valid.' }).waitFor()
    await visitor.signIn({ name, password: 'a long password' })
  })

  scenario('3: signs in by the token of the installation', pages, async (visitor) => {
    await visitor.open('/')
    await visitor.page.getByRole('button', { name: 'Sign in with the token of the installation' }).click()
    await visitor.page.getByLabel('Token of the installation').fill(pages.product().adminToken)
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  scenario('5: asks to sign in again over the page, which stays as it is', pages, async (visitor) => {
    const { page, context } = visitor
    const { name, password } = await createPerson(pages.admin(), pages.product().url, 'viewer')
    await visitor.signIn({ name, password })
    await visitor.open('/')
    const jump = page.getByRole('textbox', { name: /Go to an import/ })
    await jump.fill('half an article')
    const elsewhere = await pages.visit()
    await elsewhere.signIn({ name, password })
    const { url } = pages.product()
    const ended = await elsewhere.context.request.delete(`${url}/api/admin/sessions`, { headers: { origin: url } })
    expect(ended.status()).toBe(204)
    // every gateway knows it within a second
    const readStatus = async () => (await context.request.get(`${url}/api/admin/session`)).status()
    await waitFor(readStatus, (status) => status === 401, 5_000)
    await jump.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe(name)
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await context.cookies()).toHaveLength(1)
  })
})

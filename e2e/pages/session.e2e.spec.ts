import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, newName } from './lists.js'
import { createPerson } from './people.js'

describePages('sign-in', () => {
  const pages = usePages()

  const fillIn = async ({ page }: Visitor, name: string, password: string) => {
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  const setPassword = async ({ page }: Visitor, password: string, again = password) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('The same password again').fill(again)
    await page.getByRole('button', { name: 'Set the password and open' }).click()
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

  scenario('3: an invitation is shown once, and opens once', pages, async (visitor) => {
    const { page } = visitor
    const { adminToken } = pages.product()
    // without one the form of the token comes first
    await createPerson(pages.admin(), pages.product().url, 'viewer')
    const name = newName('anna').replace(' ', '-')
    await visitor.open('/')
    await page.getByRole('button', { name: 'Sign in with the token of the installation' }).click()
    await page.getByLabel('Token of the installation').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Administrators' }).click()
    await page.getByRole('button', { name: 'Invite a person' }).first().click()
    const question = page.getByRole('dialog', { name: 'Invite a person' })
    await question.getByLabel('Username', { exact: true }).fill(name)
    await question.getByLabel('Role').selectOption('manager')
    await question.getByRole('button', { name: 'Invite', exact: true }).click()
    const shown = page.getByRole('dialog', { name: `Invitation for ${name}` })
    const link = await shown.getByLabel(`Invitation for ${name}`).inputValue()
    await shown.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('rowheader', { name }).waitFor()
    expect(await page.content()).not.toContain(link.split('#')[1])

    const anna = await pages.visit()
    await anna.page.goto(link)
    expect(await anna.page.getByLabel('Username').inputValue()).toBe(name)
    await setPassword(anna, 'a long password', 'another password')
    await anna.page.getByText('The two passwords differ.').waitFor()
    expect(anna.path()).toBe('/join')
    await setPassword(anna, 'a long password')
    await anna.page.getByRole('heading', { name: 'Overview' }).waitFor()
    await anna.page.locator('summary').filter({ hasText: name }).waitFor()

    const late = await pages.visit()
    await late.page.goto(link)
    await setPassword(late, 'a third password')
    await late.page.getByRole('heading', { name: 'The invitation is no longer valid.' }).waitFor()
  })

  scenario('4: a role that is taken away stops the next save, and keeps what was typed', pages, async (visitor) => {
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Taken away')
    const anna = await createPerson(admin, pages.product().url, 'manager')
    await visitor.signIn(anna)
    await visitor.open(`/price-lists/${list.id}/settings`)
    const audit = page.getByRole('navigation').getByRole('link', { name: 'Audit' })
    await audit.waitFor()
    await page.getByLabel('Markup, %').fill('12.5')

    const owner = await pages.visit()
    await owner.signIn()
    await owner.open('/administrators')
    await owner.page.getByRole('button', { name: `Change ${anna.name}` }).click()
    const dialog = owner.page.getByRole('dialog', { name: `Change ${anna.name}` })
    await dialog.getByLabel('Role').selectOption('viewer')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your role (viewer) may not change this. Ask an owner').waitFor()
    expect(await page.getByLabel('Markup, %').inputValue()).toBe('12.5')
    await audit.waitFor({ state: 'detached' })
    const { body } = await admin.get<{ markup_percent: number }>(`/price-lists/${list.id}`)
    expect(body.markup_percent).toBe(0)
  })

  scenario('5: a session that was ended elsewhere asks to sign in over a half-filled form', pages, async (visitor) => {
    const { page, context } = visitor
    const list = await createList(pages.admin(), 'Half filled')
    const person = await createPerson(pages.admin(), pages.product().url, 'manager')
    await visitor.signIn(person)
    await visitor.open(`/price-lists/${list.id}/settings`)
    await page.getByLabel('Markup, %').fill('7.5')

    const elsewhere = await pages.visit()
    await elsewhere.signIn(person)
    await elsewhere.open('/account')
    await elsewhere.page.getByRole('button', { name: 'Sign out all others' }).click()
    const question = elsewhere.page.getByRole('dialog', { name: 'Sign out all other sessions?' })
    await question.getByRole('button', { name: 'Sign out all others' }).click()
    await question.waitFor({ state: 'detached' })
    // every gateway knows it within a second
    const readStatus = async () => (await context.request.get(`${pages.product().url}/api/admin/session`)).status()
    await waitFor(readStatus, (status) => status === 401, 30_000)

    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Username').inputValue()).toBe(person.name)
    await dialog.getByLabel('Password').fill(person.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Markup, %').inputValue()).toBe('7.5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The price list is saved').waitFor()
    const { body } = await pages.admin().get<{ markup_percent: number }>(`/price-lists/${list.id}`)
    expect(body.markup_percent).toBe(7.5)
  })
})

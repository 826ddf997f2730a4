import { expect } from '@jest/globals'
import { startFakeSupplier } from '@partsbus/test-kit/fake-supplier'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList, newName } from './lists.js'

describePages('set-up', () => {
  const pages = usePages()

  const asked = async (path: string, token: string): Promise<number> => {
    const answer = await fetch(`${pages.product().url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return answer.status
  }

  scenario(
    '7: an API that is on names what it lacks, and a bad address is refused at its field',
    pages,
    async (visitor) => {
      const { page } = visitor
      const without = { erp_enabled: false, erp_storage_id: null }
      expectStatus(await pages.admin().patch('/settings', without), 200)
      await visitor.signIn()
      await visitor.open('/settings/erp')
      await page.getByRole('switch', { name: 'The ERP API is on' }).check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor()
      await page.getByText(/^Not ready: storage.* missing$/).waitFor()
      expectStatus(await pages.admin().patch('/settings', without), 200)

      await page.reload()
      await page.getByLabel('Allowed addresses').fill('10.0.0.999')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Save' }).click()
      const field = page.getByLabel('Allowed addresses')
      await page.getByRole('alert').getByRole('link', { name: 'Allowed addresses' }).waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await field.and(page.locator(':focus')).waitFor()
    },
  )

  scenario('8: a new ERP token needs its word, is shown once, and replaces the old one', pages, async (visitor) => {
    const { page } = visitor
    const before = await pages.admin().post<{ token: string; last4: string }>('/settings/erp-token')
    expectStatus(before, 200)
    await pages.admin().patch('/settings', { erp_enabled: true })
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
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
    await shown.getByRole('button', { name: 'Copy' }).click()
    await shown.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
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

  /** The page of a new http supplier, filled in but for its address. */
  const fillSupplier = async ({ page, open }: Visitor, name: string, secret: string) => {
    await open('/storages/new')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('radio', { name: "supplier's API" }).check()
    await page.getByRole('button', { name: 'Add a header' }).click()
    await page.getByLabel('Header', { exact: true }).fill('x-key')
    await page.getByLabel('Value of x-key').fill(secret)
    await page.getByLabel('Article', { exact: true }).fill('OC 1051')
  }

  scenario(
    '10: an http supplier is tested before it is saved, and its secret is never shown',
    pages,
    async (visitor) => {
      const { page } = visitor
      const secret = newName('secret')
      const name = newName('Tested')
      const supplier = await startFakeSupplier()
      supplier.offer({ brands: [{ brand: 'MAHLE', article: 'OC 1051', name: 'Filter' }] })
      const answers: Promise<string>[] = []
      page.on('response', (response) => {
        if (response.url().includes('/api/admin/storages')) answers.push(response.text().catch(() => ''))
      })
      try {
        await visitor.signIn()
        await fillSupplier(visitor, name, secret)
        // nothing listens on port 1
        await page.getByLabel('Address').fill('http://127.0.0.1:1/')
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByText(/^It failed after/).waitFor()
        await page.getByText(/refused/).waitFor()
        await page.getByLabel('Address').fill(supplier.url)
        await page.getByRole('button', { name: 'Ask' }).click()
        await page.getByText(/^It answered in \d+ ms\.$/).waitFor()
        await page.getByText('MAHLE · OC 1051 · Filter').waitFor()
        expect(supplier.requests.at(-1)?.headers['x-key']).toBe(secret)
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('heading', { name }).waitFor()
        await page.reload()
        await page.getByText('Kept', { exact: true }).waitFor()
        const inputs = await page.locator('input').all()
        const values = await Promise.all(inputs.map((input) => input.inputValue()))
        expect([await page.content(), ...values].filter((text) => text.includes(secret))).toEqual([])
        expect((await Promise.all(answers)).filter((text) => text.includes(secret))).toEqual([])
      } finally {
        await supplier.close()
      }
    },
  )

  scenario('11: a secret does not follow its supplier to another address', pages, async (visitor) => {
    const { page } = visitor
    const secret = newName('old secret')
    const [old, next] = [await startFakeSupplier(), await startFakeSupplier()]
    try {
      const name = newName('Moved')
      const supplier = { kind: 'http', base_url: old.url, headers: { 'x-key': secret } }
      const stored = expectStatus(await pages.admin().post<{ id: number }>('/storages', { name, supplier }), 201)
      await visitor.signIn()
      await visitor.open(`/storages/${stored.body.id}`)
      await page.getByText('Kept', { exact: true }).waitFor()
      await page.getByLabel('Address').fill(next.url)
      const field = page.getByLabel('Value of x-key')
      await page.getByText('The address was changed. Enter the secret again, or remove it.').waitFor()
      expect(await field.inputValue()).toBe('')

      for (const act of ['Save', 'Ask']) {
        await page.getByLabel('Article', { exact: true }).fill('OC 1051')
        await page.getByRole('button', { name: act, exact: true }).click()
        const summary = page.getByRole('alert')
        await summary.getByText('The address was changed: the secret must be sent again.').waitFor()
        expect(await field.getAttribute('aria-invalid')).toBe('true')
        await field.and(page.locator(':focus')).waitFor()
      }
      expect([old.connections(), next.connections()]).toEqual([0, 0])

      await field.fill('new secret')
      await page.getByRole('button', { name: 'Ask' }).click()
      await page.getByText(/^It answered in/).waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Kept', { exact: true }).waitFor()
      expect(next.requests.map(({ headers }) => headers['x-key'])).toEqual(['new secret'])
      expect(old.connections()).toBe(0)
    } finally {
      await Promise.all([old.close(), next.close()])
    }
  })

  scenario('12: a storage in use says by what, and goes after its name was typed', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'In use')
    expectStatus(await pages.admin().patch('/settings', { storages_for_crosses: [list.storageId] }), 200)
    await visitor.signIn()
    const remove = async () => {
      await visitor.open(`/storages/${list.storageId}`)
      await page.getByRole('button', { name: 'Delete', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: `Delete ${list.name}?` })
      await dialog.getByLabel(`Type ${list.name} to continue`).fill(list.name)
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
      return dialog
    }
    const refused = await remove()
    await refused.getByRole('link', { name: list.name }).waitFor()
    const links = await Promise.all((await refused.getByRole('link').all()).map((link) => link.getAttribute('href')))
    expect(links).toEqual(['/admin/settings/b2b', `/admin/price-lists/${list.id}`])

    await refused.getByRole('link', { name: 'Storages asked without pick-up points' }).click()
    await page.getByRole('button', { name: `Remove ${list.name}` }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expectStatus(await pages.admin().delete(`/price-lists/${list.id}`), 204)
    await remove()
    await page.getByRole('heading', { name: 'Storages' }).waitFor()
    expectStatus(await pages.admin().get(`/storages/${list.storageId}`), 404)
    await visitor.open(`/audit?entity=storage&entity_id=${list.storageId}`)
    const entry = page.getByRole('row').filter({ hasText: 'Storage deleted' })
    await entry.getByText('Token of the installation').first().waitFor()
  })

  scenario(
    'maintenance is switched on by its text, and off when it is deleted; typing goes on during a save',
    pages,
    async (visitor) => {
      const { page } = visitor
      const write = () => pages.admin().post<{ message?: string }>('/storages', { name: newName('Maintained') })
      const notice = page.getByText('Maintenance: changes are refused')
      const save = async (text: string) => {
        await page.getByLabel('Maintenance', { exact: true }).fill(text)
        await page.getByRole('button', { name: 'Save', exact: true }).click()
      }
      await visitor.signIn()
      try {
        await visitor.open('/settings/general')
        const sent = page.waitForRequest((request) => request.method() === 'PATCH')
        let release = (): void => undefined
        const held = new Promise<void>((resolve) => (release = resolve))
        await page.route('**/api/admin/settings', async (route) => {
          if (route.request().method() === 'PATCH') await held
          await route.continue()
        })
        await save('Back at 5.')
        await sent
        await page.getByLabel('Maintenance', { exact: true }).fill('Back at 6.')
        release()
        await page.getByText('Saved', { exact: true }).waitFor()
        await notice.waitFor()
        // typed while the first text was being saved
        expect(await page.getByLabel('Maintenance', { exact: true }).inputValue()).toBe('Back at 6.')
        const { status, body } = await write()
        expect([status, body.message]).toEqual([503, 'Back at 5.'])
        await save('')
        await notice.waitFor({ state: 'detached' })
        expectStatus(await write(), 201)
      } finally {
        expectStatus(await pages.admin().patch('/settings', { maintenance: null }), 200)
      }
    },
  )

  scenario('a field says what the contract refuses as soon as it is left', pages, async (visitor) => {
    const { page } = visitor
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') calls.push(request.url())
    })
    await visitor.signIn()
    await visitor.open('/storages/new')
    const name = page.getByLabel('Name', { exact: true })
    const isInvalid = async () => (await name.getAttribute('aria-invalid')) === 'true'
    await name.focus()
    expect(await isInvalid()).toBe(false)
    await page.keyboard.press('Tab')
    await page.getByText('This field is required.').waitFor()
    expect(await isInvalid()).toBe(true)
    await name.fill('x'.repeat(192))
    await page.getByText('At most 191 characters.').waitFor()
    await name.fill('x'.repeat(191))
    await page.getByText('At most 191 characters.').waitFor({ state: 'detached' })
    expect([await isInvalid(), calls]).toEqual([false, []])
  })
})

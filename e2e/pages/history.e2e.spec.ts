import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { ApiClient } from '../testing/api-client.js'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { createList, importFile, newName, priceFile, upload } from './lists.js'
import { createPerson } from './people.js'

/** Failed imports of one list: two pages of them. */
const FAILED = 66
const PER_PAGE = 50
const AT_ONCE = 11

describePages('imports and versions of the past', () => {
  const pages = usePages()

  scenario(
    '23: a version before is sold again after a question, and the newer one after it',
    pages,
    async (visitor) => {
      const { page } = visitor
      const admin = pages.admin()
      const list = await createList(admin, 'Rolled back')
      await importFile(admin, list.id, priceFile(['V-1', 'V-2', 'V-3']))
      expectStatus(await admin.patch(`/price-lists/${list.id}`, { markup_percent: 12.5, delivery_days: 3 }), 200)
      await importFile(admin, list.id, priceFile(['V-1'], 80))
      const point = expectStatus(
        await admin.post<{ id: number }>('/pick-up-points', { name: newName('Point'), storage_ids: [list.storageId] }),
        201,
      )
      const { token } = expectStatus(await admin.post<{ token: string }>('/settings/b2b-token'), 200).body
      expectStatus(await admin.patch('/settings', { b2b_enabled: true }), 200)
      const partner = new ApiClient(`${pages.product().url}/api/b2b`, { authorization: `Bearer ${token}` })
      const question = { article: 'V-1', brands: ['KYB'], pick_up_points: [point.body.id] }
      const readPrice = async () =>
        (await partner.post<{ parts: { price: number }[] }>('/get-parts', question)).body.parts[0]?.price
      await visitor.signIn(await createPerson(admin, pages.product().url, 'manager'))
      await visitor.open(`/price-lists/${list.id}`)
      const makeLive = async (version: number, words: string, price: number) => {
        await page.getByRole('button', { name: `Make it live: Version ${version}` }).click()
        const dialog = page.getByRole('dialog', { name: 'Make this version live?' })
        await dialog.getByText(words).waitFor()
        const settings =
          'It was imported with: markup 0 %, no delivery days. The settings are: markup 12.5 %, 3 delivery days.'
        expect(await dialog.getByText(settings).count()).toBe(version === 1 ? 1 : 0)
        await dialog.getByRole('button', { name: 'Make it live' }).click()
        await dialog.waitFor({ state: 'detached' })
        await page
          .getByRole('row', { name: new RegExp(`^${version}\\b`) })
          .getByText('Live', { exact: true })
          .waitFor()
        expect(await waitFor(readPrice, (now) => now === price, 30_000)).toBe(price)
      }
      const olderIsLive = page.getByText('The live offers are as they were')
      const tabs = page.getByRole('navigation', { name: 'Parts of the price list' })
      const goTo = (tab: string) => tabs.getByRole('link', { name: tab, exact: true }).click()
      await makeLive(1, 'Partners get 3 offers instead of 1.', 100)
      await goTo('Settings')
      await olderIsLive.waitFor()
      await goTo('Live')
      await makeLive(2, 'Partners get 1 offer instead of 3.', 90)
      await goTo('Settings')
      await page.getByRole('button', { name: 'Apply to the live offers now' }).waitFor()
      expect(await olderIsLive.count()).toBe(0)
      // the storage stays where the list is deleted
      await page.getByRole('button', { name: 'Delete the list' }).click()
      const storage = page.getByRole('dialog').getByRole('link')
      expect(await storage.getAttribute('href')).toMatch(new RegExp(`/storages/${list.storageId}$`))
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      partner.close()
      expectStatus(await admin.patch('/settings', { b2b_enabled: false }), 200)
    },
  )

  scenario('23: the actions of a wide table are in reach on a phone, and no tab is cut', pages, async () => {
    const width = 390
    const visitor = await pages.visit({ viewport: { width, height: 844 } })
    const { page } = visitor
    const list = await createList(pages.admin(), 'On a phone')
    await importFile(pages.admin(), list.id, priceFile(['P-1']))
    await importFile(pages.admin(), list.id, priceFile(['P-2']))
    await visitor.signIn()
    await visitor.open(`/price-lists/${list.id}`)
    const tabs = page.getByRole('navigation', { name: 'Parts of the price list' })
    const act = page.getByRole('button', { name: /^Make it live: Version/ }).first()
    for (const shown of [act, tabs.getByRole('link', { name: 'Imports' })]) {
      const box = await shown.boundingBox()
      expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true)
    }
  })

  scenario('31: back from an import to the same rows, scroll and URL, which others may open', pages, async () => {
    const admin = pages.admin()
    const list = await createList(admin, 'Failing')
    const unknown = 'one;two;three\n1;2;3\n'
    for (let at = 0; at < FAILED; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => upload(admin, list.id, unknown)))
    const failed = async () =>
      (await admin.get<{ total: number }>(`/import-tasks?price_list_id=${list.id}&status=failed`)).body.total
    await waitFor(failed, (total) => total === FAILED, 60_000)
    const [visitor, colleague] = [
      await pages.visit({ viewport: { width: 1440, height: 400 } }),
      await pages.visit({ viewport: { width: 1440, height: 400 } }),
    ]
    const { page } = visitor
    await visitor.signIn(await createPerson(admin, pages.product().url, 'viewer'))
    await colleague.signIn(await createPerson(admin, pages.product().url, 'viewer'))
    await visitor.open(`/imports?price_list_id=${list.id}`)
    await page.getByLabel('State').selectOption('failed')
    await page.waitForURL(/status=failed/)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(`${PER_PAGE + 1}–${FAILED} of ${FAILED}`).waitFor()
    const rows = () => page.getByRole('rowheader').allInnerTexts()
    const before = {
      rows: await waitFor(rows, ({ length }) => length === FAILED - PER_PAGE),
      path: visitor.path(),
    }
    const link = page.getByRole('link', { name: before.rows[12] ?? '', exact: true })
    await link.scrollIntoViewIfNeeded()
    const place = await link.boundingBox()
    await link.click()
    await page.getByRole('heading', { name: `Import ${before.rows[12]}` }).waitFor()
    await page.goBack()
    await page.getByText(`${PER_PAGE + 1}–${FAILED} of ${FAILED}`).waitFor()
    const isAsBefore = (shown: string[]) => shown.join() === before.rows.join()
    expect({ rows: await waitFor(rows, isAsBefore), path: visitor.path() }).toEqual(before)
    const readTop = async () => Math.round((await link.boundingBox())?.y ?? 0)
    expect(await waitFor(readTop, (top) => top === Math.round(place?.y ?? 0), 30_000)).toBe(Math.round(place?.y ?? 0))

    await colleague.open(before.path)
    await colleague.page.getByText(`${PER_PAGE + 1}–${FAILED} of ${FAILED}`).waitFor()
    await waitFor(() => colleague.page.getByRole('rowheader').allInnerTexts(), isAsBefore)
  })

  scenario('32: a changed form asks before a link, back and a reload, and staying keeps it', pages, async (visitor) => {
    const { page } = visitor
    const list = await createList(pages.admin(), 'Unsaved')
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open('/storages')
    await page.getByRole('heading', { name: 'Storages' }).waitFor()
    await visitor.open(`/price-lists/${list.id}/settings`)
    const markup = page.getByLabel('Markup, %')
    await markup.fill('12,5')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    const stay = async () => {
      await dialog.getByText('You would lose 1 change.').waitFor()
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.waitFor({ state: 'detached' })
      expect(await markup.inputValue()).toBe('12,5')
    }
    await page.getByRole('link', { name: 'Brands' }).click()
    await stay()
    await page.getByRole('link', { name: 'Sources' }).click()
    await stay()

    let asked = ''
    page.once('dialog', (question) => {
      asked = question.type()
      void question.dismiss()
    })
    // the browser asks by itself
    await page.evaluate('location.reload()')
    expect(
      await waitFor(
        () => Promise.resolve(asked),
        (type) => type !== '',
        30_000,
      ),
    ).toBe('beforeunload')
    expect(await markup.inputValue()).toBe('12,5')

    await page.getByRole('button', { name: 'Discard' }).click()
    const tabs = page.getByRole('navigation', { name: 'Parts of the price list' })
    await tabs.getByRole('link', { name: 'Offers' }).click()
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await markup.fill('12,5')
    await page.goBack()
    await stay()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The price list is saved').waitFor()
    const { body } = await pages.admin().get<{ markup_percent: number }>(`/price-lists/${list.id}`)
    expect(body.markup_percent).toBe(12.5)
  })
})

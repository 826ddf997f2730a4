import { expect } from '@jest/globals'
import { waitFor } from '@partsbus/test-kit/wait-for'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createPerson } from './people.js'

const KNOWN = 'Бренд;Артикул;Наименование;Остаток;Цена\nKYB;;Амортизатор;3;5100\nClaris;OC-1051;Фильтр;5;1234,50\n'
const UNKNOWN = 'Производитель детали;Номер;Описание детали;Сколько есть;Опт\nClaris;OC-2002;Фильтр;7;100\n'

describePages('price lists', () => {
  const pages = usePages()
  let count = 0

  const createList = async (markup_percent = 0): Promise<number> => {
    count += 1
    const storage = await pages.admin().post<{ id: number }>('/storages', {
      name: `Supplier of pages ${count}`,
      supplier: { kind: 'price-list' },
    })
    expectStatus(storage, 201)
    const list = await pages.admin().post<{ id: number }>('/price-lists', {
      name: `List of pages ${count}`,
      storage_id: storage.body.id,
      markup_percent,
    })
    expectStatus(list, 201)
    return list.body.id
  }
  const signInAsManager = async (visitor: Visitor) => {
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
  }
  const drop = async ({ page }: Visitor, name: string, bytes: Buffer) => {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: bytes })
    await page.waitForURL(/\/format\?preview=/)
    await page.getByRole('heading', { name: `File: ${name}` }).waitFor()
  }
  const liveOffers = async (listId: number) =>
    (await pages.admin().get<{ data: { article: string; price: number }[] }>(`/price-lists/${listId}/offers`)).body.data

  scenario('5: a manager creates a list, and its page waits for the first file', pages, async (visitor) => {
    await createList()
    await signInAsManager(visitor)
    await visitor.open('/price-lists')
    await visitor.page.getByRole('button', { name: 'New list' }).first().click()
    const dialog = visitor.page.getByRole('dialog', { name: 'New list' })
    await dialog.getByLabel('Name', { exact: true }).fill('A list by hand')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await visitor.page.getByRole('heading', { name: 'A list by hand' }).waitFor()
    await visitor.page.getByText('No file yet. Drop one here').waitFor()
  })

  scenario('13: a windows-1251 file is shown, imported, and live with its markup', pages, async (visitor) => {
    const { page } = visitor
    const id = await createList(10)
    await signInAsManager(visitor)
    await visitor.open(`/price-lists/${id}`)
    await drop(visitor, 'price.csv', encodeWindows1251(KNOWN))
    await page.getByText('found: windows-1251').waitFor({ state: 'attached' })
    await page.getByText('2 rows · 1 importable · 1 skipped').waitFor()
    await page.getByText('Skipped: no article 1').waitFor()
    expect(await liveOffers(id)).toEqual([])
    await page.getByRole('button', { name: 'Import this file' }).click()
    await page.getByRole('heading', { name: /^Import \d+$/ }).waitFor()
    await page.getByText('Live now').waitFor()
    await page.getByRole('cell', { name: 'no article' }).waitFor()
    expect(await liveOffers(id)).toMatchObject([{ article: 'OC-1051', price: 1357.95 }])
  })

  scenario('14: unknown headings lead to the mapping, and columns are chosen by keyboard', pages, async (visitor) => {
    const { page } = visitor
    const id = await createList()
    await signInAsManager(visitor)
    await visitor.open(`/price-lists/${id}`)
    await drop(visitor, 'unknown.csv', Buffer.from(UNKNOWN))
    await page.getByText(/^No column for: /).waitFor()
    for (const [column, field] of [
      ['Column A', 'Brand'],
      ['Column B', 'Article'],
      ['Column D', 'Quantity'],
      ['Column E', 'Price'],
    ] as const) {
      await page.getByLabel(column).focus()
      await page.keyboard.type(field)
      await page.keyboard.press('Tab')
    }
    await page.getByText('1 row · 1 importable').waitFor()
    const importIt = page.getByRole('button', { name: 'Save and import this file' })
    await importIt.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Live now').waitFor()
    expect(await liveOffers(id)).toMatchObject([{ article: 'OC-2002', price: 100 }])
    const { body } = await pages.admin().get<{ format: { columns: Record<string, unknown> } }>(`/price-lists/${id}`)
    expect(body.format.columns).toMatchObject({ quantity: 'Сколько есть' })
  })

  scenario('16: another encoding is read again without another upload', pages, async (visitor) => {
    const { page } = visitor
    const id = await createList()
    await signInAsManager(visitor)
    let uploads = 0
    page.on('request', (request) => {
      if (request.headers()['content-type']?.startsWith('multipart/')) uploads += 1
    })
    await visitor.open(`/price-lists/${id}`)
    await drop(visitor, 'price.csv', encodeWindows1251(KNOWN))
    const row = page.getByRole('cell', { name: 'Амортизатор' }).first()
    await row.waitFor()
    await page.getByLabel('Encoding').selectOption('cp866')
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Encoding').selectOption('auto')
    await row.waitFor()
    expect(await page.getByRole('button', { name: 'Discard' }).isEnabled()).toBe(true)
    expect(uploads).toBe(1)
  })

  scenario('23: a version before becomes live again after a question', pages, async (visitor) => {
    const { page } = visitor
    const id = await createList()
    for (const article of ['V-1', 'V-2']) {
      const form = new FormData()
      form.set('document', new Blob([`Бренд;Артикул;Остаток;Цена\nKYB;${article};1;10\n`]), `${article}.csv`)
      const answer = await fetch(`${pages.product().url}/api/admin/price-lists/${id}/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${pages.product().adminToken}` },
        body: form,
      })
      expect(answer.status).toBe(200)
      await waitFor(
        () => liveOffers(id),
        (offers) => offers[0]?.article === article,
        30_000,
      )
    }
    await signInAsManager(visitor)
    await visitor.open(`/price-lists/${id}`)
    await page.getByRole('button', { name: /^Make it live/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Make this version live?' })
    await dialog.getByText('Partners get 1 offer in place of 1.').waitFor()
    await dialog.getByRole('button', { name: 'Make it live' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await liveOffers(id)).toMatchObject([{ article: 'V-1' }])
  })

  scenario('32: a changed form asks before it is left, and staying keeps it', pages, async (visitor) => {
    const { page } = visitor
    const id = await createList()
    await signInAsManager(visitor)
    await visitor.open(`/price-lists/${id}/settings`)
    await page.getByLabel('Markup, %').fill('12,5')
    await page.getByRole('link', { name: 'Storages' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Markup, %').inputValue()).toBe('12,5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The price list is saved').waitFor()
    const { body } = await pages.admin().get<{ markup_percent: number }>(`/price-lists/${id}`)
    expect(body.markup_percent).toBe(12.5)
  })
})

/** Russian letters have one byte each, from 0xC0 on. */
function encodeWindows1251(text: string): Buffer {
  return Buffer.from([...text].map((letter) => encodeLetter(letter.codePointAt(0) ?? 0)))
}

function encodeLetter(code: number): number {
  if (code < 0x80) return code
  if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0
  throw new Error(`not in this table: ${String.fromCodePoint(code)}`)
}

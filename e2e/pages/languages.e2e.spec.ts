import { expect } from '@jest/globals'
import { field, file, FORM_TYPE, formBody } from '@partsbus/test-kit/form'
import type { Page } from 'playwright-core'
import { expectStatus } from '../testing/shop.js'
import { describePages, scenario, usePages } from './browser.js'
import { withErp } from './erp.js'
import { createList, importFile, newName, priceFile } from './lists.js'
import { createPerson } from './people.js'
import { pagePaths } from './routes.js'

/** Names and abbreviations that are the same in Russian. */
const ALLOWED = new Set(
  [
    'Partsbus API ERP CSV JSON FTP TLS IMAP INBOX STARTTLS URL HTTP HTTPS CIDR PDF XLS XLSX English UTC UTF',
    'KYB LEMF RDER LEMFORDER images example com',
  ].flatMap((words) => words.toLowerCase().split(' ')),
)
/** Fields of answers whose texts people or other programs have written. */
const WRITTEN_BY_OTHERS = new RegExp(
  '^(name|.*_name|title|article|article_key|brand|canonical|synonyms|owners|erp_id|slug|actor|entity_id|' +
    'address|agent|url|version|value|created_by|login|last4|hosts?)$',
)

describePages('Russian', () => {
  const pages = usePages()

  /** The words of a page without what is marked as English, and without codes. */
  const readWords = async (page: Page): Promise<string[]> => {
    const text = (await page.evaluate(`(() => {
      const copy = document.body.cloneNode(true)
      const skipped = '[lang=en], code, pre, .mono, kbd, script, style, noscript, dialog:not([open])'
      for (const other of copy.querySelectorAll(skipped)) other.remove()
      const named = [...copy.querySelectorAll('*')].flatMap((element) =>
        ['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''))
      for (const element of copy.querySelectorAll('*')) element.append(' ')
      return [copy.textContent, document.title, ...named].join(' ')
    })()`)) as string
    return [...new Set(text.match(/[A-Za-z]{2,}/g))]
  }

  scenario('35: no page has an English word', pages, async () => {
    const visitor = await pages.visit({ locale: 'ru-RU' })
    const { page } = visitor
    const admin = pages.admin()
    const erpId = newName('p').replace(' ', '-')
    await withErp(admin, pages.product().url, async (erp) => {
      const product = { id_erp: erpId, name: 'Диск', article: 'Р-1', brand: 'KYB' }
      expectStatus(await erp.post('/products/batch-upsert', { products: [product] }), 200)
    })
    const product = await admin.get<{ id: number }>(`/products/by-erp-id/${erpId}`)
    const list = await createList(admin, 'Прайс')
    const task = await importFile(admin, list.id, `${priceFile(['Р-1'])}KYB;;Диск;1;1\n`)
    const point = expectStatus(await admin.post<{ id: number }>('/pick-up-points', { name: 'Точка' }), 201)
    const ids: Record<string, number> = {
      '/imports': task.id,
      '/points': point.body.id,
      '/price-lists': list.id,
      '/products': product.body.id,
      '/storages': list.storageId,
    }
    const written = new Set<string>()
    const collected: Promise<void>[] = []
    page.on('response', (response) => {
      const isAnswer = response.url().includes('/api/admin/')
      if (!isAnswer || !response.headers()['content-type']?.startsWith('application/json')) return
      collected.push(
        response.json().then(
          (body) => collectTexts(body, written),
          () => undefined,
        ),
      )
    })
    // while nobody has a password, the sign-in page names the variable of the token
    await createPerson(pages.admin(), pages.product().url, 'viewer')
    await visitor.signIn()
    const english: string[] = []
    for (const path of pagePaths) {
      const id = ids[path.split('/$id')[0] ?? '']
      await visitor.open(`${path.replace('$id', String(id))}${path === '/search' ? '?article=oc1051' : ''}`)
      await page.locator('h1').first().waitFor()
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
      expect(await page.locator('html').getAttribute('lang')).toBe('ru')
      const words = await readWords(page)
      // the page may show an answer before it is read here
      await Promise.all(collected)
      const known = (word: string) =>
        ALLOWED.has(word.toLowerCase()) || [...written].some((other) => other.startsWith(word))
      english.push(...words.filter((word) => !known(word)).map((word) => `${path}: ${word}`))
    }
    expect(english).toEqual([])
  })

  // admin.md#locale
  scenario('35: reasons are in the language of the page, whichever the setting names', pages, async () => {
    const visitor = await pages.visit({ locale: 'ru-RU' })
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Прайс')
    const task = await importFile(admin, list.id, priceFile(['R-1', 'R-1']))
    expect((await admin.get('/settings')).body).toMatchObject({ admin_locale: 'en' })
    await visitor.signIn()
    await visitor.open(`/imports/${task.id}`)
    await page.getByText('Вместо этой строки импортируется строка 3').waitFor()
    await page.getByLabel('Язык').first().selectOption('en')
    await page.getByText('Row 3 has the same brand and article').waitFor()
    await page.getByLabel('Language').first().selectOption('ru')
    await page.getByText('Вместо этой строки импортируется строка 3').waitFor()
  })

  scenario('35: counts, dates and prices are Russian', pages, async () => {
    const visitor = await pages.visit({ locale: 'ru-RU', timezoneId: 'Europe/Moscow' })
    const { page } = visitor
    const admin = pages.admin()
    const list = await createList(admin, 'Прайс')
    await visitor.signIn()
    for (const [rows, words] of [
      [1, '1 строка'],
      [2, '2 строки'],
      [5, '5 строк'],
      [21, '21 строка'],
    ] as const) {
      const text = priceFile(Array.from({ length: rows }, (_, at) => `R-${at}`))
      const answer = await admin.send<{ preview_id: string }>('POST', `/price-lists/${list.id}/preview`, {
        body: formBody([field('draft', '{}'), file(text)]),
        headers: { 'content-type': FORM_TYPE },
      })
      await visitor.open(`/price-lists/${list.id}/format?preview=${expectStatus(answer, 200).body.preview_id}`)
      await page.getByText(new RegExp(`^${words} · `)).waitFor()
    }
    const task = await importFile(admin, list.id, priceFile(['R-1'], 1234.5))
    await visitor.open(`/price-lists/${list.id}/offers`)
    await page.getByRole('cell', { name: /^1\s234,50$/ }).waitFor()
    await visitor.open(`/imports/${task.id}`)
    const time = page.locator('time').first()
    await time.waitFor()
    expect(await time.getAttribute('title')).toMatch(/^\d{1,2} [а-я]+\.? \d{4} г\., \d\d:\d\d:\d\d /)
    expect(await time.innerText()).toMatch(/назад$|^только что$/)
  })
})

/** The words of texts that no page words by itself. */
function collectTexts(value: unknown, into: Set<string>, isWritten = false): void {
  if (typeof value === 'string' && isWritten) for (const word of value.match(/[A-Za-z]{2,}/g) ?? []) into.add(word)
  if (Array.isArray(value)) for (const item of value) collectTexts(item, into, isWritten)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) collectTexts(item, into, WRITTEN_BY_OTHERS.test(name))
}

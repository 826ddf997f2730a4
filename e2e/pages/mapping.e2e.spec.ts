import { expect } from '@jest/globals'
import { makeWorkbook } from '../testing/xlsx.js'
import { describePages, scenario, usePages, type Visitor } from './browser.js'
import { createList } from './lists.js'
import { createPerson } from './people.js'
import { choose, encodeWindows1251 } from './price-files.js'

const KNOWN = 'Бренд;Артикул;Наименование;Остаток;Цена\nKYB;;Амортизатор;3;5100\nClaris;OC-1051;Фильтр;5;1234,50\n'
const UNKNOWN = 'Поле 1;Поле 2;Поле 3;Поле 4\nClaris;OC-2002;Фильтр;7\n'
const TWO_PRICES = 'Бренд;Артикул;Наименование;Остаток;Цена;Розница\nKYB;E-1;Амортизатор;3;5100;6200\n'

interface StoredFormat {
  sheet?: string
  columns?: Record<string, unknown>
}

describePages('the mapping of a file', () => {
  const pages = usePages()

  /** A manager on the page of a new list. */
  const openNewList = async (visitor: Visitor, what: string): Promise<number> => {
    const { id } = await createList(pages.admin(), what)
    await visitor.signIn(await createPerson(pages.admin(), pages.product().url, 'manager'))
    await visitor.open(`/price-lists/${id}`)
    return id
  }
  const liveOffers = async (listId: number) =>
    (await pages.admin().get<{ data: { article: string; price: number }[] }>(`/price-lists/${listId}/offers`)).body.data
  const storedFormat = async (listId: number) =>
    (await pages.admin().get<{ format: StoredFormat }>(`/price-lists/${listId}`)).body.format
  const fieldOf = ({ page }: Visitor, letter: string) => page.getByLabel(`Column ${letter}`).inputValue()

  scenario('14: unknown headings lead to the mapping, and columns are chosen by keyboard', pages, async (visitor) => {
    const { page } = visitor
    const id = await openNewList(visitor, 'Unknown headings')
    await choose(visitor, { name: 'unknown.csv', bytes: Buffer.from(UNKNOWN) })
    await page.getByText('No column for: Article, Brand, Quantity. Choose it above the column.').waitFor()
    await page.getByText('Quantity: if the file has no such column, use “One quantity for all rows”.').waitFor()
    for (const [column, field] of [
      ['Column A', 'Brand'],
      ['Column B', 'Article'],
      ['Column D', 'Quantity'],
    ] as const) {
      await page.getByLabel(column).focus()
      await page.keyboard.type(field)
      await page.keyboard.press('Tab')
    }
    await page.getByText('2 rows · 1 importable · 1 skipped').waitFor()
    await page.getByRole('rowheader', { name: 'OC-2002' }).waitFor()
    const importIt = page.getByRole('button', { name: 'Save and import this file' })
    await importIt.focus()
    await page.keyboard.press('Enter')
    // without a column of prices
    await page.getByRole('button', { name: 'Import all the same' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Live now').waitFor()
    expect(await liveOffers(id)).toMatchObject([{ article: 'OC-2002' }])
    // without a header the columns are named by letter
    expect((await storedFormat(id)).columns).toEqual({ brand: 'A', article: 'B', quantity: 'D' })
  })

  scenario('15: a field is dragged onto another column, and discarded', pages, async (visitor) => {
    const { page } = visitor
    const id = await openNewList(visitor, 'Two prices')
    await choose(visitor, { name: 'prices.csv', bytes: Buffer.from(TWO_PRICES) })
    const read = page.getByRole('table', { name: 'The first offers as they will be imported' })
    await read.getByRole('cell', { name: '5,100.00' }).waitFor()
    expect([await fieldOf(visitor, 'E'), await fieldOf(visitor, 'F')]).toEqual(['price', ''])
    const before = await storedFormat(id)
    const columnOf = (letter: string) =>
      page.getByRole('columnheader').filter({ has: page.getByLabel(`Column ${letter}`) })
    await columnOf('E').getByTitle('Drag it onto another column').dragTo(columnOf('F'))
    await read.getByRole('cell', { name: '6,200.00' }).waitFor()
    expect([await fieldOf(visitor, 'E'), await fieldOf(visitor, 'F')]).toEqual(['', 'price'])
    await page.getByRole('button', { name: 'Discard' }).click()
    await read.getByRole('cell', { name: '5,100.00' }).waitFor()
    expect([await fieldOf(visitor, 'E'), await fieldOf(visitor, 'F')]).toEqual(['price', ''])
    expect(await storedFormat(id)).toEqual(before)
  })

  scenario('16: another encoding is read again without another upload', pages, async (visitor) => {
    const { page } = visitor
    let uploads = 0
    page.on('request', (request) => {
      if (request.headers()['content-type']?.startsWith('multipart/')) uploads += 1
    })
    await openNewList(visitor, 'Encoded')
    await choose(visitor, { name: 'price.csv', bytes: encodeWindows1251(KNOWN) })
    const row = page.getByRole('cell', { name: 'Амортизатор' }).first()
    await row.waitFor()
    await page.getByLabel('Encoding').selectOption('cp866')
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Encoding').selectOption('auto')
    await row.waitFor()
    expect(await page.getByRole('button', { name: 'Discard' }).isEnabled()).toBe(true)
    expect(uploads).toBe(1)
  })

  scenario('17: the second of three sheets is chosen, with its header in row 12', pages, async (visitor) => {
    const { page } = visitor
    const id = await openNewList(visitor, 'Workbook')
    const head = ['Бренд', 'Артикул', 'Наименование', 'Остаток', 'Цена']
    const letter = Array.from({ length: 11 }, (_, at) => [`Строка письма ${at + 1}`])
    const workbook = makeWorkbook({
      Прайс: [head, ['KYB', 'FIRST-1', 'Амортизатор', '1', '10']],
      Опт: [...letter, head, ['KYB', 'SECOND-1', 'Амортизатор', '2', '20']],
      Условия: [['Самовывоз']],
    })
    await choose(visitor, { name: 'book.xlsx', bytes: workbook })
    await page.getByRole('rowheader', { name: 'FIRST-1' }).waitFor()
    expect(await page.getByLabel('Sheet').locator('option').allInnerTexts()).toEqual([
      'found: Прайс',
      'all sheets with these columns',
      'Прайс (2 rows)',
      'Опт (13 rows)',
      'Условия (1 row)',
    ])
    await page.getByText('2 other sheets have rows that are not read.').waitFor()
    await page.getByLabel('Sheet').selectOption('Опт')
    await page.getByRole('rowheader', { name: 'SECOND-1' }).waitFor()
    await page.getByText('Header in row 12').waitFor()
    expect([await fieldOf(visitor, 'B'), await fieldOf(visitor, 'E')]).toEqual(['article', 'price'])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The format is saved').waitFor()
    expect((await storedFormat(id)).sheet).toBe('Опт')
  })

  scenario(
    '41: an HTML table of tyres is mapped with a fallback, placeholders and brands of groups',
    pages,
    async (visitor) => {
      const { page } = visitor
      const id = await openNewList(visitor, 'Tyres')
      const rows = [
        ['Артикул', 'Код', 'Наименование', 'Остаток'],
        ['Nokian'],
        ['-', 'T-1', 'Hakka Green', '4'],
        ['T-2', '9', 'Nordman', '5'],
      ]
      const table = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
      await choose(visitor, {
        name: 'tyres.xls',
        bytes: Buffer.from(`<html><style>td {}</style><table>${table}</table>`),
      })
      await page.getByText('No column for: Brand. Choose it above the column.').waitFor()
      await page.getByLabel('Brand from the heading of the group above').check()
      // a choice takes the place of the column that was found, which is chosen as the second one then
      await page.getByLabel('Column B').selectOption('Article')
      await page.getByLabel('Column A').locator('option:checked[value=""]').waitFor({ state: 'attached' })
      await page.getByLabel('Column A').selectOption('Article')
      await page.getByText('Article: column B, and where it is blank A.').waitFor()
      await page.getByRole('button', { name: 'Column A first' }).click()
      await page.getByText('Article: column A, and where it is blank B.').waitFor()
      await page.getByText('Cells that mean nothing').click()
      const placeholder = page.getByRole('group').getByLabel('Article')
      await placeholder.fill('-')
      await placeholder.press('Enter')
      await page.getByText('3 rows · 2 importable · 1 skipped').waitFor()
      await page.getByRole('rowheader', { name: 'T-1' }).waitFor()
      await page.getByRole('cell', { name: 'NOKIAN' }).first().waitFor()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('The format is saved').waitFor()
      expect(await storedFormat(id)).toEqual({
        columns: { brand: { group: true }, article: ['Артикул', 'Код'] },
        ignore_values: { article: ['-'] },
      })
      await page.getByRole('button', { name: 'Column B first' }).click()
      await page.getByText('Article: column B, and where it is blank A.').waitFor()
    },
  )

  scenario('43: one column is the article and the name', pages, async (visitor) => {
    const { page } = visitor
    const id = await openNewList(visitor, 'Names alone')
    await choose(visitor, { name: 'names.csv', bytes: Buffer.from('Бренд;Товар;Остаток\nViatti;Brina 175/65;4\n') })
    await page.getByLabel('Column B').selectOption('Article')
    const noName = page.getByText('1 row has no product name: partners do not find these brands.')
    await noName.waitFor()
    await page.getByText('The file has no column of names? Tick “The article is the name, too”.').waitFor()
    const both = page.getByLabel('The article is the name, too')
    await both.check()
    await noName.waitFor({ state: 'detached' })
    expect(await fieldOf(visitor, 'B')).toBe('article')
    const read = page.getByRole('table', { name: 'The first offers as they will be imported' })
    await read.getByRole('cell', { name: 'Brina 175/65', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The format is saved').waitFor()
    expect((await storedFormat(id)).columns).toEqual({ article: 'Товар', name: 'Товар' })
    expect(await both.isChecked()).toBe(true)
  })
})

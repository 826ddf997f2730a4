import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write, type WorkBook } from '@e965/xlsx'
import { countSheets, openPlain, type PlainFile, unpackPriceFile } from './open-price-file.js'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'partsbus-sheets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const MAX = 10_000_000
const rows = (...texts: string[]) => texts.map((text) => (text === '' ? [] : text.split(';')))

/** A workbook with a hidden sheet and a blank one. */
function workbook(): WorkBook {
  const book = utils.book_new()
  const sheets = {
    Info: rows('Price of today'),
    'Прайс 1': rows('a;b', '', 'c;d'),
    Old: rows('x;y', 'z;w'),
    Blank: rows(''),
    'Прайс 2': rows('', 'e;f'),
  }
  for (const [name, data] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(data), name)
  book.Workbook = { Sheets: book.SheetNames.map((name) => ({ name, Hidden: name === 'Old' ? 1 : 0 })) }
  return book
}

async function plain(bookType: 'xlsx' | 'biff8'): Promise<PlainFile> {
  count += 1
  const path = join(folder, `book-${count}`)
  writeFileSync(path, write(workbook(), { type: 'buffer', bookType }) as Buffer)
  return unpackPriceFile(path, bookType === 'xlsx' ? 'price.xlsx' : 'price.xls', folder, MAX)
}

describe.each(['xlsx', 'biff8'] as const)('all sheets of a workbook (%s, admin.md#all-sheets)', (bookType) => {
  it('are read one after another, without the hidden ones, with row numbers that go on', async () => {
    const { blocks, sheet, sheets } = await openPlain(await plain(bookType), { sheet: 'all' })
    const read: Array<[row: number, sheet: string | undefined, cells: string]> = []
    for await (const block of blocks)
      block.rows.forEach((cells, at) => {
        if (cells.length > 0) read.push([block.first + at, block.sheet?.name, cells.join(';')])
      })
    expect(read).toEqual([
      [1, 'Info', 'Price of today'],
      [2, 'Прайс 1', 'a;b'],
      [4, 'Прайс 1', 'c;d'],
      [expect.any(Number), 'Прайс 2', 'e;f'],
    ])
    expect([sheet, sheets]).toEqual([null, ['Info', 'Прайс 1', 'Old', 'Blank', 'Прайс 2']])
  })

  it('are counted, and those that are not wanted only named', async () => {
    const file = await plain(bookType)
    const counted = await countSheets(file, { maxUnpacked: MAX }, () => true)
    expect(counted.map(({ name, isVisible, rows }) => `${name} ${isVisible} ${rows}`)).toEqual([
      'Info true 1',
      'Прайс 1 true 2',
      'Old false 2',
      'Blank true 0',
      'Прайс 2 true 1',
    ])
    const named = await countSheets(file, { maxUnpacked: MAX }, (name) => name === 'Old')
    expect(named.find(({ name }) => name === 'Old')?.rows).toBe(2)
  })
})

it('a text has no sheets', async () => {
  const path = join(folder, 'price.csv')
  writeFileSync(path, 'a;b\n')
  const file = await unpackPriceFile(path, 'price.csv', folder, MAX)
  expect(await countSheets(file, {}, () => true)).toEqual([])
})

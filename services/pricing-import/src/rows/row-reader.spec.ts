import { describe, expect, it } from '@jest/globals'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { RowReader } from './row-reader.js'

/** Reads rows in blocks of the given size: `row:article×quantity@price` or `row:CODE`. */
function read(rows: string[], format: PriceListFormat = {}, blockRows = rows.length): string[] {
  const out: string[] = []
  const reader = new RowReader(
    { format, markup_percent: 0, delivery_days: null, known_brands: KNOWN },
    {
      importable: (row, { brand, article, quantity, price, delivery_days }) =>
        out.push(`${row}:${brand}/${article}×${quantity}@${price}${delivery_days === null ? '' : `+${delivery_days}`}`),
      skipped: (row, code) => out.push(`${row}:${code}`),
    },
  )
  for (let at = 0; at < rows.length; at += blockRows)
    reader.push({ first: at + 1, rows: rows.slice(at, at + blockRows).map((row) => row.split(';')) })
  reader.finish()
  return out
}

const KNOWN = [{ canonical: 'NOKIAN', synonyms: ['Нокиан'] }]

const HEAD = 'Бренд;Артикул;Название;Количество;Цена;Срок'

describe('rows of a list', () => {
  it.each<[string, string, string]>([
    ['an importable row', 'KYB;334-100;Strut;5;1 000,50;2-3', '2:KYB/334-100×5@1000.5+3'],
    ['a quantity of 0 is imported', 'KYB;1;x;0;1;', '2:KYB/1×0@1'],
    ['no price is none', 'KYB;1;x;5;;', '2:KYB/1×5@null'],
    ['text that looks like a formula is text', 'KYB;=1+1;x;5;1;', '2:KYB/=1+1×5@1'],
    ['a group row with a name', ';;Амортизаторы;;;', '2:GROUP_ROW'],
    ['a group row in the first column', 'Амортизаторы;;;;;', '2:GROUP_ROW'],
    ['a group row in the column of the article', ';Амортизаторы;;;;', '2:GROUP_ROW'],
    ['the header again', 'Бренд;АРТИКУЛ;Название;Количество;Цена;Срок', '2:REPEATED_HEADER'],
    ['no article', 'KYB;;x;5;1;', '2:NO_ARTICLE'],
    ['an article without letter or digit', 'KYB;---;x;5;1;', '2:NO_ARTICLE'],
    ['no brand', ';1;x;5;1;', '2:NO_BRAND'],
    ['no quantity', 'KYB;1;x;;1;', '2:NO_QUANTITY'],
    ['an odd quantity', 'KYB;1;x;-5;1;', '2:BAD_QUANTITY'],
    ['an odd price', 'KYB;1;x;5;0,1,2;', '2:BAD_PRICE'],
    ['a negative price', 'KYB;1;x;5;-1;', '2:NEGATIVE_PRICE'],
    ['an odd delivery time', 'KYB;1;x;5;1;скоро', '2:BAD_DELIVERY_DAYS'],
    ['a short row', 'KYB;1', '2:NO_QUANTITY'],
    ['an endless article', `KYB;${'x'.repeat(192)};x;5;1;`, '2:TOO_LONG'],
    ['more cells than are read', `${'KYB;1;x;5;1;'.padEnd(400, ';')}x`, '2:TOO_MANY_CELLS'],
    ['the way that spreadsheets are told that digits are text', 'KYB;="0986";x;="5";="1,50";', '2:KYB/0986×5@1.5'],
    ['the same, as text tools write it', "KYB;'0986;x;'5;1;", '2:KYB/0986×5@1'],
    ['a cell that was handed out as no formula', "KYB;'=1+1;x;5;1;", '2:KYB/=1+1×5@1'],
    ['names that would be special in a program', '__proto__;constructor;x;5;1;', '2:__proto__/constructor×5@1'],
  ])('%s', (_name, row, result) => {
    expect(read([HEAD, row])).toEqual([result])
  })

  it('has the quantity of the format, and no offer in a heading of a group', () => {
    const rows = ['Бренд;Артикул;Название;Цена', 'Тормоза;;;', ';;Колодки;', 'KYB;1;x;5', 'KYB;2;x;', 'KYB;;x;5']
    expect(read(rows, { columns: { quantity: { value: 7 } } })).toEqual([
      '2:GROUP_ROW',
      '3:GROUP_ROW',
      '4:KYB/1×7@5',
      '5:KYB/2×7@null',
      '6:NO_ARTICLE',
    ])
  })

  it('omits rows above the header and blank rows, and numbers rows as in the file', () => {
    expect(read(['Прайс-лист ООО;;', ';;', HEAD, 'A;1;x;5;1;', ';; ;;;', 'A;2;x;5;1;'])).toEqual([
      '4:A/1×5@1',
      '6:A/2×5@1',
    ])
  })

  it('a total below the rows is not an offer, also in a list with a constant brand', () => {
    const format: PriceListFormat = { columns: { brand: { value: 'KYB' } } }
    expect(read(['Артикул;Название;Количество', '1;x;5', 'Итого:;;5', 'TOTAL;oil;5'], format)).toEqual([
      '2:KYB/1×5@null',
      '3:GROUP_ROW',
      '4:KYB/TOTAL×5@null',
    ])
  })

  it('skip_rows omits rows, including headers (rules.md#no-rows)', () => {
    expect(read([HEAD, 'A;0;x;1;1;', 'Артикул;Бренд;Количество', '1;B;7'], { skip_rows: 2 })).toEqual(['4:B/1×7@null'])
  })

  it('skip_rows omits rows of a list without a header, too (rules.md#no-rows)', () => {
    const format = { header: false, skip_rows: 1, columns: { brand: 1, article: 2, quantity: 3 } }
    expect(read(['A;1;5', 'B;2;6'], format)).toEqual(['2:B/2×6@null'])
  })

  it('a list without header is read by numbers', () => {
    expect(read(['A;1;5'], { header: false, columns: { brand: 1, article: 2, quantity: 3 } })).toEqual(['1:A/1×5@null'])
  })

  it('one price with decimals determines the decimal mark of the others', () => {
    expect(read([HEAD, 'A;1;x;1;1,234;', 'A;2;x;1;7,50;'])).toEqual(['2:A/1×1@1.23', '3:A/2×1@7.5'])
    expect(read([HEAD, 'A;1;x;1;1,234;', 'A;2;x;1;7.50;'])).toEqual(['2:A/1×1@1234', '3:A/2×1@7.5'])
  })

  it('leaves out cells of ignore_values and reads the next column of the field (admin.md#ignore-values)', () => {
    const format: PriceListFormat = {
      columns: { article: ['Артикул', 'Код'], price: ['Опт', 'Розница'] },
      ignore_values: { article: ['-', 'Пример:*'], price: ['0'], brand: ['нет бренда'] },
    }
    const rows = ['Бренд;Артикул;Код;Кол-во;Опт;Розница', 'A;-;7;1;0;9', 'A;пример: 5;8;1;3;9', 'НЕТ БРЕНДА;5;6;1;2;9']
    expect(read(rows, format)).toEqual(['2:A/7×1@9', '3:A/8×1@3', '4:NO_BRAND'])
    expect(read(['Бренд;Артикул;Кол-во;Цена', 'A;0;1;0'])).toEqual(['2:A/0×1@0'])
  })

  it('the result does not depend on block boundaries', () => {
    const rows = [
      'Прайс',
      HEAD,
      ...Array.from({ length: 700 }, (_, index) =>
        index % 50 === 0 ? ';;Группа;;;' : `A;${index};x;${index};${index},5;`,
      ),
    ]
    const whole = read(rows)
    expect(whole).toHaveLength(700)
    for (const size of [1, 7, 299, 300, 301]) expect(read(rows, {}, size)).toEqual(whole)
  })
})

describe('rows of a workbook whose sheets are all read (admin.md#all-sheets)', () => {
  const SHORT = 'Бренд;Артикул;Кол-во'

  /** @returns the rows, and the sheets that were read */
  function readSheets(
    sheets: Record<string, string[]>,
    format: PriceListFormat = {},
  ): { rows: string[]; read: string[] } {
    const rows: string[] = []
    const reader = new RowReader(
      { format, markup_percent: 0, delivery_days: null },
      {
        importable: (row, { brand, article }) => rows.push(`${row}:${brand}/${article}`),
        skipped: (row, code) => rows.push(`${row}:${code}`),
      },
    )
    let offset = 0
    for (const [name, lines] of Object.entries(sheets)) {
      const sheet = { name, offset }
      lines.forEach((line, at) => reader.push({ first: offset + at + 1, rows: [line.split(';')], sheet }))
      offset += lines.length
    }
    reader.finish()
    return { rows, read: reader.sheets.filter(({ isRead }) => isRead).map(({ name }) => name) }
  }

  it('each has its own header, and one without the columns is left out', () => {
    const sheets = {
      Info: ['Price of today', 'call us'],
      One: [SHORT, 'A;1;5', 'A;;5'],
      Other: ['Кол-во;Артикул;Бренд', '5;2;B', SHORT],
      Notes: ['x;y;z'],
    }
    expect(readSheets(sheets)).toEqual({
      rows: ['4:A/1', '5:NO_ARTICLE', '7:B/2', '8:REPEATED_HEADER'],
      read: ['One', 'Other'],
    })
  })

  it('one without a header is left out where the first has one, also with columns by number', () => {
    const format = { columns: { brand: 1, article: 2, quantity: 3 } }
    expect(readSheets({ One: [SHORT, 'A;1;5'], Contacts: ['Moscow;street;5'] }, format).read).toEqual(['One'])
    expect(readSheets({ One: ['A;1;5'], Two: ['B;2;5'] }, { ...format, header: false })).toEqual({
      rows: ['1:A/1', '2:B/2'],
      read: ['One', 'Two'],
    })
  })

  it('fails as the first one does when no sheet fits', () => {
    expect(() => readSheets({ One: ['Бренд;Артикул;x'], Two: ['y;z'] })).toThrow(
      'No column was found for the quantity.',
    )
  })
})

describe('the brand of a row that has none of its own', () => {
  const HEADER = 'Артикул;Название;Количество;Цена'
  const group = { brand: { group: true as const } }

  it('is the heading of the group above, the innermost one (admin.md#group-brand)', () => {
    const rows = [HEADER, ';Шины;;', 'Летние;;;', ';Nokian;;', '1;x;5;9', '2;y;5;9', ';Cordiant;;', '3;z;5;9']
    expect(read(rows, { columns: group })).toEqual([
      '2:GROUP_ROW',
      '3:GROUP_ROW',
      '4:GROUP_ROW',
      '5:Nokian/1×5@9',
      '6:Nokian/2×5@9',
      '7:GROUP_ROW',
      '8:Cordiant/3×5@9',
    ])
  })

  it('is missing above the first heading and below a total', () => {
    const rows = [HEADER, '1;x;5;9', ';Nokian;;', HEADER, '2;y;5;9', ';Итого:;;', '3;z;5;9']
    expect(read(rows, { columns: group })).toEqual([
      '2:NO_BRAND',
      '3:GROUP_ROW',
      '4:REPEATED_HEADER',
      '5:Nokian/2×5@9',
      '6:GROUP_ROW',
      '7:NO_BRAND',
    ])
  })

  it.each([
    ['in the column of the name', ';Итого:;5;9;'],
    ['in a column that is not read', ';;5;9;ВСЕГО'],
    ['in the column of the article', 'Итого;;5;9;'],
  ])('is missing below a total with sums: %s (admin.md#group-brand)', (_where, total) => {
    const rows = [`${HEADER};Примечание`, ';Nokian;;', '1;x;5;9', total, '2;y;5;9', ';Cordiant;;', '3;z;5;9']
    const found = read(rows, { columns: group })
    expect(found.filter((row) => !row.startsWith('4:'))).toEqual([
      '2:GROUP_ROW',
      '3:Nokian/1×5@9',
      '5:NO_BRAND',
      '6:GROUP_ROW',
      '7:Cordiant/3×5@9',
    ])
    expect(found).toHaveLength(6)
  })

  it('is still that of the group below the header again, and below a row with an article of a brand like TOTAL', () => {
    const rows = ['Артикул;Название;Количество;Всего', ';Nokian;;', 'Артикул;;;Всего', '1;x;?;TOTAL', '2;y;5;']
    expect(read(rows, { columns: group })).toEqual([
      '2:GROUP_ROW',
      '3:REPEATED_HEADER',
      '4:BAD_QUANTITY',
      '5:Nokian/2×5@null',
    ])
  })

  it('is the known brand that the nearest of nested headings names, else the name (admin.md#known-brands)', () => {
    const rows = [HEADER, ';Шины Нокиан;;', ';Летние;;', '1;x;5;9', ';A702;;', '2;Шина Nokian A702;5;9', '3;z;5;9']
    expect(read(rows, { columns: group, known_brands: true })).toEqual([
      '2:GROUP_ROW',
      '3:GROUP_ROW',
      '4:NOKIAN/1×5@9',
      '5:GROUP_ROW',
      '6:NOKIAN/2×5@9',
      '7:NO_BRAND',
    ])
  })

  it('is found in the name where the column is blank, ignored or missing', () => {
    const rows = ['Бренд;Артикул;Название;Количество', ';1;Шина nokian;5', '-;2;Нокиан Y;5', 'KYB;3;Nokian;5', ';4;x;5']
    const found = ['2:NOKIAN/1×5@null', '3:NOKIAN/2×5@null', '4:KYB/3×5@null', '5:NO_BRAND']
    expect(read(rows, { known_brands: true, ignore_values: { brand: ['-'] } })).toEqual(found)
    expect(read([HEADER, '1;Nokian;5;9'], { known_brands: true })).toEqual(['2:NOKIAN/1×5@9'])
    expect(read([rows[0] ?? '', ';1;Шина nokian;5'])).toEqual(['2:NO_BRAND'])
  })
})

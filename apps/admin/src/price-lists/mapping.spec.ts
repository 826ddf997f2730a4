import { describe, expect, it } from '@jest/globals'
import { columnLetter } from './column-letter.js'
import { chooseColumn, columnUses, uniqueHeading } from './mapping.js'

const header = { row: 3, cells: ['Бренд', 'Артикул', 'Цена', 'Опт'] }
const preview = {
  columns: { brand: 1, article: 2, price: 3 },
  found_by: { brand: 'heading', article: 'set', price: 'heading' } as const,
  header,
  sample: [{ row: 4, cells: ['KYB', '1', '5', '6', 'x'] }],
}
const uses = columnUses(preview, { article: 'Артикул' })

describe('the columns of a file', () => {
  it('have letters', () => {
    expect([0, 25, 26, 51, 52].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA'])
  })

  it('hold what the preview found or the format sets', () => {
    expect(uses.map(({ field, isFound }) => [field, isFound])).toEqual([
      ['brand', true],
      ['article', false],
      ['price', true],
      [undefined, false],
      [undefined, false],
    ])
  })

  it('may hold one field together', () => {
    const both = columnUses(
      {
        columns: { name: [1, 3] },
        found_by: { name: 'set' },
        header: null,
        sample: [{ row: 1, cells: ['a', 'b', 'c'] }],
      },
      { name: ['A', 'C'] },
    )
    expect(both.map(({ field }) => field)).toEqual(['name', undefined, 'name'])
  })

  it('follow the draft before the file is read again', () => {
    expect(columnUses(preview, { price: 'опт' }).map(({ field }) => field)).toEqual([
      'brand',
      undefined,
      undefined,
      'price',
      undefined,
    ])
    expect(columnUses(preview, { price: 'E', brand: { value: 'KYB' } }).map(({ field }) => field)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'price',
    ])
  })

  it('take a field from another column, by heading', () => {
    const heading = uniqueHeading(header, 3)
    expect(chooseColumn({ price: 'Цена' }, uses, { column: 3, field: 'price', heading })).toEqual({ price: 'Опт' })
  })

  it('free the field that they held', () => {
    const next = chooseColumn({ article: 'Артикул' }, uses, { column: 1, field: 'name', heading: undefined })
    expect(next).toEqual({ name: 'B' })
  })

  it('are named by letter where headings repeat or are too short', () => {
    expect(uniqueHeading({ row: 1, cells: ['Цена', 'цена ', 'A'] }, 0)).toBeUndefined()
    expect(uniqueHeading({ row: 1, cells: ['Цена', 'цена ', 'A'] }, 2)).toBeUndefined()
    expect(uniqueHeading(null, 0)).toBeUndefined()
  })
})

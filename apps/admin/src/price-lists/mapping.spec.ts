import { describe, expect, it } from '@jest/globals'
import { columnLetter } from './column-letter.js'
import {
  chooseColumn,
  columnUses,
  fieldColumns,
  isArticleName,
  lastFirst,
  rowName,
  setArticleName,
  uniqueHeading,
} from './mapping.js'

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

  it('hold a field together in the order of their choice, each as a fallback of those before', () => {
    const both = chooseColumn({ price: 'Цена' }, preview, { column: 3, field: 'price' })
    expect(both).toEqual({ price: ['Цена', 'Опт'] })
    expect(columnUses(preview, both).map(({ field, order }) => [field, order])).toEqual([
      ['brand', undefined],
      [undefined, undefined],
      ['price', 1],
      ['price', 2],
      [undefined, undefined],
    ])
    const turned = lastFirst(both, preview, 'price')
    expect(turned).toEqual({ price: ['Опт', 'Цена'] })
    expect(fieldColumns(preview, turned, 'price')).toEqual([3, 2])
    expect(chooseColumn(both, preview, { column: 2, field: undefined })).toEqual({ price: 'Опт' })
  })

  it('take the place of a column that was found by its heading', () => {
    expect(chooseColumn({}, preview, { column: 4, field: 'price' })).toEqual({ price: 'E' })
  })

  it('take a field from another column when it is moved, by heading', () => {
    expect(chooseColumn({ price: 'Цена' }, preview, { column: 3, field: 'price', isMoved: true })).toEqual({
      price: 'Опт',
    })
  })

  it('take the place of a constant, and of the heading of a group', () => {
    for (const brand of [{ value: 'KYB' }, { group: true as const }])
      expect(chooseColumn({ brand }, preview, { column: 3, field: 'brand' })).toEqual({ brand: 'Опт' })
  })

  it('free the field that they held', () => {
    expect(chooseColumn({ article: 'Артикул' }, preview, { column: 1, field: 'name' })).toEqual({ name: 'Артикул' })
    expect(chooseColumn({ article: 'Артикул' }, preview, { column: 1, field: undefined })).toEqual({})
  })

  it('have rows that are counted in their sheet', () => {
    expect(rowName({ row: 254, sheet: 'Лист2', sheet_row: 8 })).toBe('Лист2!8')
    expect(rowName({ row: 254 })).toBe('254')
  })

  it('are named by letter where headings repeat or are too short', () => {
    expect(uniqueHeading({ row: 1, cells: ['Цена', 'цена ', 'A'] }, 0)).toBeUndefined()
    expect(uniqueHeading({ row: 1, cells: ['Цена', 'цена ', 'A'] }, 2)).toBeUndefined()
    expect(uniqueHeading(null, 0)).toBeUndefined()
  })
})

describe('a name that is the article', () => {
  const both = { article: 'Артикул', name: 'Артикул' }
  const fields = (columns: object) => columnUses(preview, columns).map(({ field }) => field)

  it('is read from the column of the article, also of one that was found', () => {
    expect(setArticleName({ article: 'Артикул' }, preview, true)).toEqual(both)
    const found = { ...preview, found_by: { article: 'heading' } as const }
    expect(setArticleName({ name: 'Опт' }, found, true)).toEqual(both)
    expect(setArticleName(both, preview, false)).toEqual({ article: 'Артикул' })
  })

  it.each([
    [both, true],
    [{ article: ['A', 'B'], name: ['A', 'B'] }, true],
    [{ article: 'A', name: ['A'] }, true],
    [{ article: 'A', name: 'B' }, false],
    [{ article: 'A' }, false],
    [{}, false],
  ])('%j: %s', (columns, is) => {
    expect(isArticleName(columns)).toBe(is)
  })

  it('leaves the column that of the article', () => {
    expect(fields(both)).toEqual(['brand', 'article', 'price', undefined, undefined])
  })

  it('follows the article to another column, and into its order', () => {
    const moved = { column: 3, field: 'article', isMoved: true } as const
    expect(chooseColumn(both, preview, moved)).toEqual({ article: 'Опт', name: 'Опт' })
    const two = chooseColumn(both, preview, { column: 3, field: 'article' })
    expect(two).toEqual({ article: ['Артикул', 'Опт'], name: ['Артикул', 'Опт'] })
    expect(lastFirst(two, preview, 'article')).toEqual({ article: ['Опт', 'Артикул'], name: ['Опт', 'Артикул'] })
  })

  it('ends with a column of names, and with the article', () => {
    expect(chooseColumn(both, preview, { column: 3, field: 'name' })).toEqual({ article: 'Артикул', name: 'Опт' })
    expect(chooseColumn(both, preview, { column: 1, field: undefined })).toEqual({})
  })
})

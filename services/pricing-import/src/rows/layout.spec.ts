import { describe, expect, it } from '@jest/globals'
import type { PriceListFormat } from '@partsbus/contracts/pricing-import/price-list'
import { findLayout } from './layout.js'

const russian = ['№', 'Производитель', 'Артикул', 'Наименование товара', 'Кол-во', 'Цена, руб.', 'Срок поставки']
const english = ['SKU', 'Brand', 'Description', 'Qty', 'Unit', 'Price (EUR)', 'Lead time']
const data = ['1', 'BOSCH', '0986479W30', 'Disk', '5', '100', '2']

describe('a quantity of every row (admin.md#price-list-format)', () => {
  const format: PriceListFormat = { columns: { quantity: { value: 10 } } }

  it('stands in for the column, also where a column could be one', () => {
    expect(findLayout([['Артикул', 'Бренд', 'Цена']], format)).toMatchObject({ header: 0, quantity: 10 })
    expect(findLayout([['Артикул', 'Бренд', 'Остаток']], format)).toMatchObject({
      quantity: 10,
      columns: { quantity: [] },
    })
  })

  it('lets a header without usual headings be found', () => {
    expect(findLayout([['Ваш артикул', 'Наш бренд', 'Ваша цена'], data], format)).toMatchObject({
      header: 0,
      columns: { article: [0], brand: [1], price: [2] },
    })
  })
})

describe('columns', () => {
  it.each<[string, string[], object]>([
    [
      'Russian headings',
      russian,
      { article: [2], brand: [1], name: [3], quantity: [4], price: [5], delivery_days: [6] },
    ],
    [
      'English headings',
      english,
      { article: [0], brand: [1], name: [2], quantity: [3], price: [5], delivery_days: [6] },
    ],
    [
      'a specific heading before a vague one',
      ['Код', 'Артикул', 'Бренд', 'Наличие'],
      { article: [1], brand: [2], quantity: [3] },
    ],
    [
      'a vague one will do',
      ['Код', 'Бренд', 'Название', 'Цена', 'Наличие'],
      { article: [0], brand: [1], name: [2], price: [3], quantity: [4] },
    ],
    [
      'one column for one field',
      ['Артикул производителя', 'Производитель', 'Остаток'],
      { article: [0], brand: [1], quantity: [2] },
    ],
    [
      'abbreviations and signs',
      ['Кат. №', 'Пр-ль', 'Бренд', 'К-во', 'Цена, €', 'Срок (дн.)'],
      { article: [0], brand: [2], quantity: [3], price: [4], delivery_days: [5] },
    ],
    [
      'numbers of parts',
      ['Part #', 'P/N', 'Mfr.', 'On hand', 'Unit price', 'Lead time (days)'],
      { article: [0], brand: [2], quantity: [3], price: [4], delivery_days: [5] },
    ],
    [
      'usual words among others',
      ['Ваш артикул', 'Наш бренд', 'Полное наименование', 'Текущий остаток', 'Ваша цена'],
      { article: [0], brand: [1], name: [2], quantity: [3], price: [4] },
    ],
    [
      'a pack size, which is not a quantity',
      ['Артикул', 'Бренд', 'Кол-во в упаковке', 'Мин. кол-во', 'Наличие, шт.', 'Цена'],
      { quantity: [4] },
    ],
    [
      'a shelf life, which is not a delivery time',
      ['Артикул', 'Бренд', 'Остаток', 'Срок годности', 'Стоимость доставки', 'Цена за шт.'],
      { price: [5], delivery_days: [] },
    ],
    [
      'a date, which is not a delivery time',
      ['SKU', 'Brand', 'Qty', 'Delivery date', 'Price date', 'Net price'],
      { price: [5], delivery_days: [] },
    ],
    [
      'the country of the manufacturer, which is not a brand',
      ['Артикул', 'Производитель (страна)', 'Торговая марка', 'Остаток'],
      { brand: [2] },
    ],
    [
      'the product group, which is not a name',
      ['Артикул', 'Бренд', 'Остаток', 'Наименование группы', 'Наименование запчасти'],
      { name: [4] },
    ],
    [
      'line breaks and stars',
      ['Артикул\n(обязательно) *', 'Бренд *', 'Кол-\nво'],
      { article: [0], brand: [1], quantity: [2] },
    ],
    ['Latin twins of letters', ['Aртикул', 'Бpeнд', 'Oстаток'], { article: [0], brand: [1], quantity: [2] }],
  ])('are guessed from %s', (_name, head, columns) => {
    expect(findLayout([['Прайс-лист'], head, data], {})).toMatchObject({ header: 1, columns })
  })

  it.each<[string, PriceListFormat, object, string[]?]>([
    [
      'by number and letter',
      { header: false, columns: { brand: 1, article: 'B', quantity: 4, price: 'e' } },
      { header: -1, columns: { brand: [0], article: [1], quantity: [3], price: [4] } },
    ],
    [
      'by header text, any case',
      { columns: { article: 'МОЙ КОД', brand: 2, quantity: 'штук' } },
      { header: 0, columns: { article: [2], brand: [1], quantity: [3] } },
    ],
    [
      'several in order, of which existing ones count',
      { columns: { article: ['Нет такой', 'Мой код', 1], brand: 2, quantity: 'Штук' } },
      { columns: { article: [2, 0] } },
    ],
    [
      'the brand as a constant',
      { columns: { article: 'Мой код', brand: { value: ' KYB ' }, quantity: 'Штук' } },
      { brand: 'KYB', columns: { brand: [] } },
    ],
    [
      'by the beginning of a heading if only one matches',
      { columns: { price: 'Цена', quantity: 'Остаток' } },
      { columns: { price: [2], quantity: [3] } },
      ['Бренд', 'Артикул', 'Цена на 21.11.2026', 'Остаток', 'Остаток резерв'],
    ],
    [
      'by short headings that look like letters',
      { columns: { article: 'PN', brand: 'MF', quantity: 'QT' } },
      { header: 0, columns: { article: [1], brand: [0], quantity: [2] } },
      ['MF', 'PN', 'QT'],
    ],
    [
      'a letter that is a heading is that heading',
      { header: true, columns: { article: 'Мой код', brand: 'A', quantity: 'Штук' } },
      { columns: { brand: [4] } },
    ],
  ])('are set %s', (_name, format, layout, head = ['x', 'Фирма', 'Мой код', 'Штук', 'A']) => {
    expect(findLayout([head, data], format)).toMatchObject(layout)
  })

  it.each<[PriceListFormat, string[], string]>([
    [{}, ['a', 'b', 'c'], 'No column was found for the article and the brand and the quantity.'],
    [{}, ['Артикул', 'Количество', 'Цена'], 'No column was found for the brand.'],
    [
      { columns: { article: 'OEM-номер' } },
      ['Артикул', 'Бренд', 'Количество'],
      'The file has no column "OEM-номер", which the price list expects for the article.',
    ],
    [
      { columns: { price: 'Цена' } },
      ['Артикул', 'Бренд', 'Количество', 'Цена опт', 'Цена розн'],
      'The file has no column "Цена", which the price list expects for the price.',
    ],
    [
      { header: false },
      ['Артикул', 'Бренд', 'Количество'],
      'No column was found for the article and the brand and the quantity.',
    ],
  ])('%j over %j: %s', (format, head, text) => {
    expect(() => findLayout([head, data], format)).toThrow(text)
  })
})

import { describe, expect, it } from '@jest/globals'
import type { PriceListFormat } from '@partsbus/contracts/price-list'
import { findLayout } from './layout.js'

const russian = ['№', 'Производитель', 'Артикул', 'Наименование товара', 'Кол-во', 'Цена, руб.', 'Срок поставки']
const english = ['SKU', 'Brand', 'Description', 'Qty', 'Unit', 'Price (EUR)', 'Lead time']
const data = ['1', 'BOSCH', '0986479W30', 'Disk', '5', '100', '2']

describe('columns', () => {
  it.each<[string, string[], object]>([
    ['Russian headings', russian, { article: [2], brand: [1], name: [3], quantity: [4], price: [5], delivery_days: [6] }],
    ['English headings', english, { article: [0], brand: [1], name: [2], quantity: [3], price: [5], delivery_days: [6] }],
    ['a surer heading beats a vague one', ['Код', 'Артикул', 'Бренд', 'Наличие'], { article: [1], brand: [2], quantity: [3] }],
    ['a vague one will do', ['Код', 'Бренд', 'Название', 'Цена', 'Наличие'], { article: [0], brand: [1], name: [2], price: [3], quantity: [4] }],
    ['one column serves one field', ['Артикул производителя', 'Производитель', 'Остаток'], { article: [0], brand: [1], quantity: [2] }],
  ])('are guessed from %s', (_name, head, columns) => {
    expect(findLayout([['Прайс-лист'], head, data], {})).toMatchObject({ header: 1, columns })
  })

  it.each<[string, PriceListFormat, object]>([
    ['by number and letter', { header: false, columns: { brand: 1, article: 'B', quantity: 4, price: 'e' } }, { header: -1, columns: { brand: [0], article: [1], quantity: [3], price: [4] } }],
    ['by header text, any case', { columns: { article: 'МОЙ КОД', brand: 2, quantity: 'штук' } }, { header: 0, columns: { article: [2], brand: [1], quantity: [3] } }],
    ['several, in order, those that are there', { columns: { article: ['Нет такой', 'Мой код', 1], brand: 2, quantity: 'Штук' } }, { columns: { article: [2, 0] } }],
    ['the brand as a constant', { columns: { article: 'Мой код', brand: { value: ' KYB ' }, quantity: 'Штук' } }, { brand: 'KYB', columns: { brand: [] } }],
    ['a letter that is a heading is that heading', { header: true, columns: { article: 'Мой код', brand: 'A', quantity: 'Штук' } }, { columns: { brand: [4] } }],
  ])('are set %s', (_name, format, layout) => {
    expect(findLayout([['x', 'Фирма', 'Мой код', 'Штук', 'A'], data], format)).toMatchObject(layout)
  })

  it.each<[PriceListFormat, string[], string]>([
    [{}, ['a', 'b', 'c'], 'No column was found for the article and the brand and the quantity.'],
    [{}, ['Артикул', 'Количество', 'Цена'], 'No column was found for the brand.'],
    [{ columns: { article: 'OEM-номер' } }, ['Артикул', 'Бренд', 'Количество'], 'The file has no column "OEM-номер", which the price list expects for the article.'],
    [{ header: false }, ['Артикул', 'Бренд', 'Количество'], 'No column was found for the article and the brand and the quantity.'],
  ])('%j over %j: %s', (format, head, text) => {
    expect(() => findLayout([head, data], format)).toThrow(text)
  })
})

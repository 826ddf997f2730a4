import { describe, expect, it } from '@jest/globals'
import { readDeliveryDays } from './delivery-days.js'
import { readQuantity } from './quantity.js'

describe('a quantity cell', () => {
  it.each<[string, number | undefined]>([
    ['12', 12], ['0', 0], ['>10', 10], ['> 10', 10], ['>=10', 10], ['10+', 10], ['10 +', 10], ['более 50', 50], ['Более\u00a050', 50], ['свыше 100 шт.', 100], ['от 5', 5],
    ['more than 20', 20], ['есть', 1], ['Есть', 1], ['в наличии', 1], ['In stock', 1], ['+', 1], ['+++', 1], ['да', 1],
    ['-', 0], ['—', 0], ['нет', 0], ['Нет в наличии', 0], ['под заказ', 0], ['out of stock', 0],
    ['<5', 1], ['менее 5', 1], ['до 10', 1], ['<1', 0], ['5-10', 5], ['5 – 10', 5], ['2..4', 2],
    ['10 шт', 10], ['10шт.', 10], ['4 pcs', 4], ['2 компл.', 2], ['1 000', 1000], ['1\u00a0000', 1000], ['12,000', 12], ['12.0', 12], ['3,7', 3], ['1,234,567', 1_234_567],
    ['', undefined], ['-5', undefined], ['abc', undefined], ['=1+1', undefined], ['1e5', undefined], ['12-', undefined], ['99999999999', undefined], ['5 кроликов', undefined],
  ])('%j is %j', (cell, quantity) => {
    expect(readQuantity(cell)).toBe(quantity)
  })
})

describe('a delivery cell', () => {
  it.each<[string, number | null | undefined]>([
    ['3', 3], ['2-3', 3], ['2 – 3 дня', 3], ['5 дней', 5], ['1 день', 1], ['3 дн.', 3], ['до 7', 7], ['~4', 4], ['2 days', 2], ['1-2 недели', 14], ['24 ч', 1], ['36 часов', 2],
    ['сегодня', 0], ['в наличии', 0], ['завтра', 1], ['0', 0], ['3/5', 5], ['3,0', 3],
    ['', null], ['-', null], ['-3', undefined], ['скоро', undefined], ['2.5', undefined], ['100000', undefined],
  ])('%j is %j', (cell, days) => {
    expect(readDeliveryDays(cell)).toBe(days)
  })
})

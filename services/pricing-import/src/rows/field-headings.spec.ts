import { expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fields, usualHeadings } from './field-headings.js'

it.each([
  ['price-lists.md', ['article, required', 'brand, required', 'name', 'quantity, required', 'price', 'delivery days']],
  [
    'price-lists.ru.md',
    ['артикул, обязательно', 'бренд, обязательно', 'наименование', 'количество, обязательно', 'цена', 'срок доставки'],
  ],
])('docs/guides/%s lists the headings that are recognised, in their order', (page, labels) => {
  const text = readFileSync(new URL(`../../../../docs/guides/${page}`, import.meta.url), 'utf8')
  const [, section = ''] = text.split('<a id="headings"></a>')
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| ')) ?? []
  const listed = rows.slice(1).map((row) => {
    const [, label = '', headings = ''] = row.split('|')
    return [label.trim(), [...headings.matchAll(/`([^`]+)`/g)].map(([, heading]) => heading)]
  })
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(fields.map((field, at) => [labels[at], usualHeadings[field]])),
  )
})

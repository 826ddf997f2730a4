import { expect, it } from '@jest/globals'
import { takeSuppliers } from './take-suppliers.js'

it.each<[string, Record<string, unknown>, string]>([
  ['outcomes at the end', { result: true, brands: [], suppliers: '1=ok,2=timeout' }, '1=ok,2=timeout'],
  ['nobody was asked', { result: true, brands: [], suppliers: '' }, ''],
  [
    'names that look like the field',
    { name: '","suppliers":"9=ok"}', brands: ['\\","suppliers":"'], suppliers: '1=ok' },
    '1=ok',
  ],
  ['letters of two bytes', { name: 'Фильтр', suppliers: '1=ok' }, '1=ok'],
  ['a field that stands elsewhere', { suppliers: '1=ok', result: true }, '1=ok'],
  ['a name that holds the field at the end of the reply', { suppliers: '1=ok', name: ',"suppliers":"' }, '1=ok'],
  ['a field inside of another object', { suppliers: '1=ok', more: { last: 1, suppliers: '2=ok' } }, '1=ok'],
])('%s', (_what, reply, outcomes) => {
  const { suppliers, answer } = takeSuppliers(Buffer.from(JSON.stringify(reply)))
  const { suppliers: _, ...rest } = reply
  expect([suppliers, JSON.parse(answer.toString('utf8'))]).toEqual([outcomes, rest])
})

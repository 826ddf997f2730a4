import { expect, it } from '@jest/globals'
import { general } from '../texts/en/general.js'
import { kit } from '../texts/en/kit.js'
import { showValue } from './shown-value.js'

const t = { general, kit }

it.each([
  ['1.password', 'typed', 'A new one'],
  ['1.password', '***', 'Kept'],
  ['1.password', undefined, '–'],
  ['headers', [{ name: 'x-key', value: 'typed' }], 'name: x-key, value: A new one'],
  ['1', { kind: 'ftp', password: 'typed' }, 'kind: ftp, password: A new one'],
])('never shows the secret of %s', (path, value, text) => {
  expect(showValue(value, path, t)).toBe(text)
})

it.each([
  ['name', 'Rossko', 'Rossko'],
  ['is_active', false, 'No'],
  ['storage_ids', [3, 1], '3, 1'],
  ['storage_ids', [], '–'],
  ['erp_storage_id', null, '–'],
])('shows %s in words', (path, value, text) => {
  expect(showValue(value, path, t)).toBe(text)
})

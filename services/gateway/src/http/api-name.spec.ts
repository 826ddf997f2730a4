import { expect, it } from '@jest/globals'
import { apiName } from './api-name.js'

it.each([
  ['/api/erp/products/batch-upsert', 'erp'],
  ['/api/b2b/get-parts?x=1', 'b2b'],
  ['/api/admin', 'admin'],
  ['/api/admin?x=/api/erp/', 'admin'],
  ['/api/erpx/ping', undefined],
  ['/media/1/api/erp/', undefined],
  ['/admin', undefined],
  ['/', undefined],
])('%s belongs to the API %s', (url, name) => {
  expect(apiName(url)).toBe(name)
})

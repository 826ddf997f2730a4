import { afterAll, beforeAll, describe, jest } from '@jest/globals'
import { administrationContract } from './contract/administration.js'
import { categoryContract } from './contract/categories.js'
import { categoryTreeContract } from './contract/category-tree.js'
import { concurrencyContract } from './contract/concurrency.js'
import { doorContract } from './contract/door.js'
import { errorPolicyContract } from './contract/error-policy.js'
import { imageContract } from './contract/images.js'
import { managementContract } from './contract/management.js'
import { productContract } from './contract/products.js'
import { productLinkContract } from './contract/product-links.js'
import { referenceDataContract } from './contract/reference-data.js'
import { requestFormContract } from './contract/request-form.js'
import { slugContract } from './contract/slugs.js'
import { stockContract } from './contract/stocks.js'
import { openShop, type Shop } from './shop.js'

jest.setTimeout(120_000)

/*
 * docs/spec/erp.md, docs/spec/rules.md and this half of docs/spec/admin.md, read as a caller reads them: over HTTP alone.
 * All parts share one running product; each uses ids of its own.
 */
describe('Catalog Synchronisation API', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  }, 300_000)
  afterAll(() => shop?.stop())
  const open = () => shop

  doorContract(open)
  requestFormContract(open)
  errorPolicyContract(open)
  categoryContract(open)
  categoryTreeContract(open)
  slugContract(open)
  productContract(open)
  productLinkContract(open)
  imageContract(open)
  stockContract(open)
  concurrencyContract(open)
  administrationContract(open)
  referenceDataContract(open)
  managementContract(open)
})

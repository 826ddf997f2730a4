import { afterAll, beforeAll, describe, jest } from '@jest/globals'
import { DisturbedImports } from './faults/disturbed-imports.js'
import { importFaults } from './faults/import-faults.js'
import { uploadFaults } from './faults/upload-faults.js'
import { openPartnerShop, type PartnerShop } from './testing/partner-shop.js'

jest.setTimeout(180_000)

/** Shorter than it is by default, so that what was broken off is taken over soon; e2e/partner-restart has the real one. */
const LEASE_MS = 3_000

/** What the price lists of partners live through, over HTTP, signals, and a look into the stores at the end. */
describe('price lists under faults (promises.md#promise-3)', () => {
  let shop: PartnerShop
  let imports: DisturbedImports
  beforeAll(async () => {
    shop = await openPartnerShop({
      replicas: 'pricing-import=2',
      env: { IMPORT_LEASE_MS: String(LEASE_MS), IMPORT_BATCH_ROWS: '500' },
    })
    imports = await DisturbedImports.open(shop, { lists: 4, rows: 5_000 })
  }, 300_000)
  afterAll(() => shop?.stop())

  importFaults(
    () => shop,
    () => imports,
  )
  uploadFaults(() => shop)
})

import { afterAll, beforeAll, describe, jest } from '@jest/globals'
import { brandContract } from './contract/brands.js'
import { importTaskContract } from './contract/import-task.js'
import { partContract } from './contract/parts.js'
import { openPartner, type Partner } from './contract/partner.js'
import { partnerDoorContract } from './contract/partner-door.js'
import { partnerFormContract } from './contract/partner-form.js'
import { pickUpPointContract } from './contract/pick-up-points.js'
import { priceListAdminContract } from './contract/price-list-admin.js'
import { searchAdminContract } from './contract/search-admin.js'
import { supplierKindContract } from './contract/supplier-kinds.js'
import { supplierOutcomeContract } from './contract/supplier-outcomes.js'
import { uploadContract } from './contract/upload.js'
import { uploadFileContract } from './contract/upload-files.js'

jest.setTimeout(120_000)

/*
 * docs/spec/partners.md, docs/spec/rules.md and the partner half of docs/spec/admin.md, read as a partner and an administrator read
 * them: over HTTP alone. All parts share one running product; each makes the storages and lists that it needs.
 */
describe('Partner API', () => {
  let partner: Partner
  beforeAll(async () => {
    partner = await openPartner()
  }, 300_000)
  afterAll(() => partner?.stop())
  const open = () => partner

  partnerDoorContract(open)
  partnerFormContract(open)
  pickUpPointContract(open)
  brandContract(open)
  partContract(open)
  supplierOutcomeContract(open)
  supplierKindContract(open)
  uploadContract(open)
  uploadFileContract(open)
  importTaskContract(open)
  priceListAdminContract(open)
  searchAdminContract(open)
})

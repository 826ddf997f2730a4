import { afterAll, beforeAll, jest } from '@jest/globals'
import { attachProduct } from '@partsbus/local-stack/running-product'
import { ApiClient } from './api-client.js'
import { openPartner, type Partner } from './partner.js'
import { configure, expectStatus, type Shop } from './shop.js'

/** The settings of a new product. Each spec file starts with them. */
const DEFAULT_SETTINGS = {
  erp_allowed_ips: [],
  erp_error_policy: 'reject_batch',
  erp_max_batch_items: 1_000,
  b2b_enabled: false,
  storages_for_crosses: [],
  'price-lists.import.max_file_size': 52_428_800,
  media_allowed_hosts: [],
  media_wait_ms: 5_000,
  admin_locale: 'en',
  erp_rate_limit: null,
  b2b_rate_limit: null,
  retention_days: 60,
  audit_retention_days: 365,
  maintenance: null,
}

/**
 * The product that all contract specs of a run share, with default settings, a storage, a pick-up point and an ERP
 * token of this spec file. A spec file uses ids of its own and leaves nothing under way. Call it at the top of a spec
 * file.
 */
export function useShop(): () => Shop {
  let shop: Shop | undefined
  jest.setTimeout(120_000)
  beforeAll(async () => {
    shop = await openSharedShop({})
  })
  afterAll(() => shop?.stop())
  return () => shop as Shop
}

/** The same with the partner API enabled and a token for it. */
export function usePartner(): () => Partner {
  let partner: Partner | undefined
  jest.setTimeout(120_000)
  beforeAll(async () => {
    partner = await openPartner(await openSharedShop({ b2b_enabled: true }))
  })
  afterAll(() => partner?.stop())
  return () => partner as Partner
}

async function openSharedShop(settings: Record<string, unknown>): Promise<Shop> {
  const shared = process.env.PARTSBUS_TEST_PRODUCT
  if (!shared) throw new Error('No shared product: specs of e2e/contract run in the Jest project `contract`.')
  const { stateDir, adminToken } = JSON.parse(shared) as { stateDir: string; adminToken: string }
  const product = attachProduct(stateDir, adminToken)
  const admin = new ApiClient(`${product.url}/api/admin`, { authorization: `Bearer ${adminToken}` })
  expectStatus(await admin.delete('/settings/b2b-token'), 204)
  admin.close()
  return configure(product, { ...DEFAULT_SETTINGS, ...settings })
}

import { afterAll, beforeAll, jest } from '@jest/globals'
import { defaultSettings } from '@partsbus/contracts/administration/settings'
import { attachProduct } from '@partsbus/local-stack/running-product'
import { ApiClient } from './api-client.js'
import { openPartner, type Partner } from './partner.js'
import { configure, expectStatus, type Shop } from './shop.js'

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
  // `configure` sets what the ERP integration needs
  const { erp_enabled: _on, erp_storage_id: _storage, erp_pick_up_point_id: _point, ...otherDefaults } = defaultSettings
  return configure(product, { ...otherDefaults, ...settings })
}

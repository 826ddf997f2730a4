// @ts-check
import { prepare, root } from '../prepare.mjs'
import { startOnce } from './started.mjs'

/**
 * Jest's globalSetup of the contract specs: one running product for all of them. Specs find it by the variable
 * PARTSBUS_TEST_PRODUCT (e2e/testing/contract-product.ts).
 */
export default function startSharedProduct() {
  return startOnce('product', async () => {
    await prepare()
    const { startProduct } = await import('@partsbus/local-stack/running-product')
    const product = await startProduct({
      root,
      env: { SUPPLIER_ALLOWED_HOSTS: '127.0.0.1', SOURCE_ALLOWED_HOSTS: '127.0.0.1' },
    })
    const { stateDir, adminToken } = product
    process.env.PARTSBUS_TEST_PRODUCT = JSON.stringify({ stateDir, adminToken })
    return () => product.stop()
  })
}

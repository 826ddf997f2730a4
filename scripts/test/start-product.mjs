// @ts-check
import { prepare, root } from '../prepare.mjs'
import { startOnce } from './started.mjs'

/**
 * Jest's globalSetup of the contract specs: one running product for all of them, on the replica set of
 * MONGODB_REPLICA_SET_URL where there is one. Specs find it by the variable PARTSBUS_TEST_PRODUCT
 * (e2e/testing/contract-product.ts).
 */
export default function startSharedProduct() {
  return startOnce('product', async () => {
    await prepare()
    const { startProduct } = await import('@partsbus/local-stack/running-product')
    const { MONGODB_REPLICA_SET_URL: replicaSet } = process.env
    const product = await startProduct({
      root,
      env: {
        SUPPLIER_ALLOWED_HOSTS: '127.0.0.1',
        SOURCE_ALLOWED_HOSTS: '127.0.0.1',
        ...(replicaSet !== undefined && { MONGODB_URL: replicaSet }),
      },
    })
    const { stateDir, adminToken } = product
    process.env.PARTSBUS_TEST_PRODUCT = JSON.stringify({ stateDir, adminToken })
    return () => product.stop()
  })
}

// @ts-check
import { chromium } from 'playwright-core'
import { CHROMIUM_FLAGS, provideChromium } from './find-chromium.mjs'
import startSharedProduct from './start-product.mjs'
import { startOnce } from './started.mjs'

/** Jest's globalSetup of the scenarios of the pages: the Chromium and the running product that they share. */
export default async function startPages() {
  if (!provideChromium()) return
  await startOnce('browser', async () => {
    const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM_PATH, args: CHROMIUM_FLAGS })
    process.env.PARTSBUS_TEST_BROWSER = server.wsEndpoint()
    return () => server.close()
  })
  await startSharedProduct()
}

// @ts-check
import { provideChromium } from './find-chromium.mjs'
import startSharedProduct from './start-product.mjs'

/** Jest's globalSetup of the scenarios of the pages: Chromium, and the running product that they share. */
export default async function startPages() {
  if (provideChromium()) await startSharedProduct()
}

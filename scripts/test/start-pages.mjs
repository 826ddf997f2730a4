// @ts-check
import { findOrInstallChromium, HOW_TO_GET } from './find-chromium.mjs'
import startSharedProduct from './start-product.mjs'

/** Jest's globalSetup of the scenarios of the pages: Chromium, and the running product that they share. */
export default async function startPages() {
  const print = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`)
  process.env.CHROMIUM_PATH = findOrInstallChromium(print) ?? ''
  if (process.env.CHROMIUM_PATH === '') print(`The scenarios of the pages are skipped. ${HOW_TO_GET}`)
  else await startSharedProduct()
}

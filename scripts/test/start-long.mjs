// @ts-check
import { prepare } from '../prepare.mjs'
import { provideChromium } from './find-chromium.mjs'

/** Jest's globalSetup of the long specs: the build, and Chromium for the scenarios of the pages among them. */
export default async function startLong() {
  provideChromium()
  await prepare()
}

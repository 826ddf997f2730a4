// @ts-check
import { prepare } from '../prepare.mjs'
import { provideChromium } from './find-chromium.mjs'

/** Jest's globalSetup of specs that start products of their own: the build, and Chromium for scenarios of the pages. */
export default async function build() {
  provideChromium()
  await prepare()
}

// @ts-check
import { prepare } from '../prepare.mjs'

/** Jest's globalSetup of specs that start products of their own. */
export default async function build() {
  await prepare()
}

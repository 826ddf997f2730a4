// @ts-check
/**
 * `node scripts/wire-examples.mjs` writes the schemas and examples of everything on the wire into
 * `packages/contracts/wire-examples/<version>/`, once at each release. A test compares later contracts with them.
 */
import './node/on-supported-node.mjs'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = join(root, 'packages/contracts/wire-examples', version)
if (existsSync(folder)) {
  console.error(`${folder} exists: the examples of a release do not change. Raise the version first.`)
  process.exit(1)
}

await prepare()
const { exemplify, wireShapes } = await import('@partsbus/contracts/wire-examples')
const made = wireShapes().map((shape) => ({ name: shape.name, ...exemplify(shape) }))
mkdirSync(folder, { recursive: true })
for (const part of /** @type {const} */ (['examples', 'schema'])) {
  const lines = made.map((shape) => `${JSON.stringify(shape.name)}: ${JSON.stringify(shape[part])}`)
  writeFileSync(join(folder, `${part}.json`), `{\n${lines.join(',\n')}\n}\n`)
}
console.log(`${made.length} shapes written to ${folder}`)

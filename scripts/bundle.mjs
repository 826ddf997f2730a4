// @ts-check
/**
 * `npm run bundle -- --registry registry.example.org/partsbus`: builds what it needs, and writes the deployment files
 * of this version to dist/bundle, as a folder and as an archive with its SHA-256. Images are built and pushed by the
 * release, not here.
 */
import './node/on-supported-node.mjs'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, root } from './prepare.mjs'

const { values } = parseArgs({ options: { registry: { type: 'string' } } })
const registry = values.registry ?? process.env.PARTSBUS_REGISTRY
if (!registry || !/^[a-z0-9.:-]+(\/[a-z0-9._-]+)+$/.test(registry)) {
  console.error('Where are the images? npm run bundle -- --registry registry.example.org/partsbus (in lower case)')
  process.exit(2)
}
await prepare()
const { makeBundle, version } = await import('./bundle/make-bundle.mjs')
const folder = join(root, 'dist/bundle')
const name = `partsbus-${version}`
makeBundle(join(folder, name), registry)
const archive = join(folder, `${name}.tar.gz`)
execFileSync('tar', ['-czf', archive, '-C', folder, name])
// as sha256sum writes and reads it
writeFileSync(join(folder, 'SHA256SUMS'), `${hash('sha256', readFileSync(archive))}  ${name}.tar.gz\n`)
console.log(archive)

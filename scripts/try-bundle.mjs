// @ts-check
/**
 * `node scripts/try-bundle.mjs dist/bundle/partsbus-VERSION.tar.gz`: unpacks a bundle into an empty folder and follows
 * its README there, as far as no engine is needed. `npm run test:compose` starts it.
 */
import './node/on-supported-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryBundle } from './bundle/try-bundle.mjs'

const [archive] = process.argv.slice(2)
if (!archive) {
  console.error('Which one? node scripts/try-bundle.mjs dist/bundle/partsbus-VERSION.tar.gz')
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'partsbus-bundle-'))
try {
  const { problems, notes } = tryBundle(archive, folder)
  for (const line of [...notes, ...problems]) console.log(line)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}

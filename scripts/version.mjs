// @ts-check
/**
 * `npm run version -- 0.2.0` sets the version wherever it stands, dates the unreleased part of the changelog, and
 * writes the wire examples. Without an argument it prints the version, with `notes` what the changelog says of it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTree } from './check/read-tree.mjs'
import { notesOf, setVersion, versionOf } from './check/versions.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [wanted] = process.argv.slice(2)
const files = readTree(root)

if (wanted === undefined) console.log(versionOf(files))
else if (wanted === 'notes')
  process.stdout.write(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), versionOf(files) ?? ''))
else raise(wanted)

/** @param {string} version */
function raise(version) {
  const changed = setVersion(files, version, new Date().toISOString().slice(0, 10))
  for (const { path, text } of changed) writeFileSync(join(root, path), text)
  console.log(`${version} in ${changed.map(({ path }) => path).join(', ')}`)
  if (existsSync(join(root, 'packages/contracts/wire-examples', version))) return
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/wire-examples.mjs')], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

// @ts-check
/**
 * `npm run check`: own rules, citations, import borders, format, lint, types and unused code. Every step runs, also
 * after one failed; the exit code is 1 when any failed. `npm run check -- rules lint` runs the steps named.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkCitations } from './check/citations.mjs'
import { checkPageSizes } from './check/page-sizes.mjs'
import { readTree } from './check/read-tree.mjs'
import { describeViolation, RULES } from './check/rules.mjs'
import { checkTranslations } from './check/translations.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @type {Record<string, () => string[]>} step → complaints, none when all is well */
const STEPS = {
  rules: houseRules,
  citations: () => checkCitations(readTree(root)),
  translations: () => checkTranslations(readTree(root)),
  imports: () =>
    tool('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...sourceFolders()]),
  format: () => tool('prettier', ['--check', '--log-level', 'warn', '--cache', '.']),
  lint: () => tool('oxlint', ['--deny-warnings', '--format', 'unix']),
  types: () => typeChecks().flatMap((args) => tool('tsc', args)),
  // a checkout without the pages has nothing to measure
  sizes: () => (existsSync(join(root, 'apps', 'admin')) ? checkPageSizes(root) : []),
  unused: () => tool('knip', ['--no-progress', '--no-config-hints']),
}

/** The folders with code, of those that are there. */
function sourceFolders() {
  return ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts', 'deploy', 'docs'].filter((name) =>
    existsSync(join(root, name)),
  )
}

/** Code that the bundler builds is not part of `tsc -b`, which would emit it. */
function typeChecks() {
  const bundled = ['apps/admin', 'apps/admin/tsconfig.build.json'].filter((path) => existsSync(join(root, path)))
  return [['-b'], ...['tsconfig.test.json', ...bundled].map((path) => ['-p', path])]
}

function houseRules() {
  const files = readTree(root)
  return RULES.flatMap(({ check }) => check(files)).map(describeViolation)
}

/** @param {string} name a program of the root's dependencies @param {string[]} args */
function tool(name, args) {
  const program = join(root, 'node_modules', '.bin', name)
  if (!existsSync(program)) return [`${name} is not installed: run \`npx -y pnpm@12.21.0 install\``]
  const run = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  if (run.status === 0) return []
  const lines = `${run.stdout ?? ''}${run.stderr ?? ''}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines : [`${name} ended with ${run.status ?? run.signal}`]
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in STEPS))
if (unknown.length > 0) {
  console.error(`No step named ${unknown.join(', ')}; there are ${Object.keys(STEPS).join(', ')}`)
  process.exit(2)
}
let failed = 0
for (const [name, step] of Object.entries(STEPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const started = Date.now()
  const complaints = step()
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (complaints.length > 0) failed++
  console.log(`${complaints.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  for (const complaint of complaints) console.log(`  ${complaint}`)
}
if (failed > 0) console.error(`check: ${failed} step${failed === 1 ? '' : 's'} failed`)
process.exitCode = failed > 0 ? 1 : 0

// @ts-check
/**
 * `npm run check`: own rules, citations, import borders, format, regular expressions, lint, types, unused code, and the
 * packages that are published. Every step runs, also after one failed; the exit code is 1 when any failed.
 * `npm run check -- rules lint` runs the steps named.
 */
import './node/on-supported-node.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkCitations } from './check/citations.mjs'
import { checkPageSizes } from './check/page-sizes.mjs'
import { checkPatterns } from './check/patterns.mjs'
import { readTree } from './check/read-tree.mjs'
import { describeViolation, RULES } from './check/rules.mjs'
import { checkTranslations } from './check/translations.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @typedef {Record<string, () => string[] | Promise<string[]>>} Steps step → complaints, none when all is well */

/** Two series, which run beside each other and take about as long. @type {Steps[]} */
const SERIES = [
  {
    types,
    format: () => tool('oxfmt', ['--list-different']),
    lint: () => tool('oxlint', ['--deny-warnings', '--format', 'unix']),
    // behind `types`, which builds what is packed
    packages: () => run(process.execPath, [join('scripts', 'packages', 'check-packages.mjs')]),
  },
  {
    patterns: () => checkPatterns(readTree(root), root),
    rules: houseRules,
    citations: () => checkCitations(readTree(root)),
    translations: () => checkTranslations(readTree(root)),
    // a checkout without the pages has nothing to measure
    sizes: () => (existsSync(join(root, 'apps', 'admin')) ? checkPageSizes(root) : []),
    imports: () =>
      tool('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err-long', ...sourceFolders()]),
    unused: () => tool('knip', ['--no-progress', '--no-config-hints']),
  },
]

/** The folders with code, of those that are there. */
function sourceFolders() {
  return ['packages', 'services', 'apps', 'e2e', 'bench', 'scripts', 'deploy', 'docs'].filter((name) =>
    existsSync(join(root, name)),
  )
}

async function types() {
  // code that the bundler builds is not part of `tsc -b`, which would emit it
  const bundled = ['apps/admin', 'apps/admin/tsconfig.build.json'].filter((path) => existsSync(join(root, path)))
  const complaints = await tool('tsc', ['-b'])
  for (const path of ['tsconfig.test.json', ...bundled]) complaints.push(...(await tool('tsc', ['-p', path])))
  return complaints
}

function houseRules() {
  const files = readTree(root)
  return RULES.flatMap(({ check }) => check(files)).map(describeViolation)
}

/** @param {string} name a program of the root's dependencies @param {string[]} args @returns {Promise<string[]>} */
async function tool(name, args) {
  const program = join(root, 'node_modules', '.bin', name)
  if (!existsSync(program)) return [`${name} is not installed: run \`npx -y pnpm@12.21.0 install\``]
  return run(program, args)
}

/** @param {string} program @param {string[]} args @returns {Promise<string[]>} what it printed when it failed */
async function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const [status, signal] = await once(child, 'close')
  if (status === 0) return []
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines : [`${program} ended with ${status ?? signal}`]
}

const asked = process.argv.slice(2)
const known = SERIES.flatMap((steps) => Object.keys(steps))
const unknown = asked.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No step named ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exit(2)
}
const failed = (await Promise.all(SERIES.map(runInTurn))).reduce((sum, count) => sum + count)
if (failed > 0) console.error(`check: ${failed} step${failed === 1 ? '' : 's'} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Runs the steps that were asked for, and prints what came of each. @param {Steps} steps @returns how many failed */
async function runInTurn(steps) {
  let count = 0
  for (const [name, step] of Object.entries(steps)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    const started = Date.now()
    const complaints = await step()
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    if (complaints.length > 0) count++
    console.log(`${complaints.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
    for (const complaint of complaints) console.log(`  ${complaint}`)
    // a tool may have ended
    await nextTurn()
  }
  return count
}

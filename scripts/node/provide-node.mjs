// @ts-check
/**
 * The Node that everything runs on: the one that runs this file, when it is new enough, else the one of package.json
 * beside it. npm installs that one from the registry, once, and verifies it by package-lock.json. Parsed by Node 18.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CACHE, installLocked } from './install-locked.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')

/** The lowest version that the root manifest allows. */
const floor = /\d+\.\d+/.exec(readManifest(root).engines?.node ?? '')?.[0] ?? ''

/** Ends the process with the reason where there is none. @returns {string} the path of the program */
export function provideNode() {
  const { node } = process.versions
  if (isFrom(node, floor)) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const version = readManifest(here).optionalDependencies?.[name]
  if (version === undefined) fail(`Node ${node} is older than ${floor}. Install Node 24, and start this again.`)
  const folder = join(CACHE, `${name}-${version}`)
  const program = join('node_modules', name, 'bin', 'node')
  const isThere = existsSync(join(folder, program))
  console.error(
    `Node ${node} is older than ${floor}: running on Node ${version} from the package registry, ` +
      (isThere ? `kept in ${folder}` : `which is fetched into ${folder} now`),
  )
  const reason = isThere ? undefined : installLocked(here, folder, program)
  if (reason !== undefined) fail(`Node could not be installed (${reason}). Install Node 24, and start this again.`)
  return join(folder, program)
}

/**
 * The variables of what runs on this program: a PATH with it, for what is started by name, and a folder for code that
 * Node has compiled.
 *
 * @param {string} node
 */
export function variablesFor(node) {
  const compiled = join(root, 'node_modules', '.cache', 'compiled')
  return { PATH: pathWith(node), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled }
}

/** @param {string} node */
function pathWith(node) {
  const path = process.env.PATH ?? ''
  const first = path.split(delimiter).find((folder) => existsSync(join(folder, 'node')))
  if (first !== undefined && realpathSync(join(first, 'node')) === realpathSync(node)) return path
  return `${dirname(node)}${delimiter}${path}`
}

/** @param {string} version @param {string} lowest */
function isFrom(version, lowest) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = lowest.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

/**
 * @param {string} folder
 * @returns {{ engines?: { node: string }, optionalDependencies?: Record<string, string> }}
 */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** @param {string} text @returns {never} */
function fail(text) {
  console.error(text)
  process.exit(1)
}

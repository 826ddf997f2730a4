// @ts-check
/**
 * Installs and builds, each only when needed. Plain Node: it runs on a fresh clone.
 * `node scripts/prepare.mjs` does it by hand.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './start/build-pages.mjs'

export const PNPM = 'pnpm@12.21.0'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const OPENAPI = join(root, 'packages', 'openapi', 'dist')
const OPERATIONS = join(root, 'packages', 'operations', 'dist')
const stamp = join(root, 'node_modules', '.installed-for')

/**
 * Brings node_modules, every dist, the OpenAPI documents, the backup plans and the admin pages up to date. Ends the
 * process with the reason if that fails.
 */
export function prepare() {
  const wanted = fingerprint()
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    console.error('Installing dependencies …')
    run('npx', ['-y', PNPM, 'install', '--frozen-lockfile'], 'The dependencies could not be installed.')
    writeFileSync(stamp, wanted)
  }
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  run(tsc, ['-b'], 'The build failed.')
  // the last of the documents
  if (!isCurrent(join(OPENAPI, 'documents', 'admin.json'), 'packages'))
    run(process.execPath, [join(OPENAPI, 'write-documents.js')], 'The OpenAPI documents could not be written.')
  if (!isCurrent(join(OPERATIONS, 'backup-plans.json'), 'services'))
    run(process.execPath, [join(OPERATIONS, 'write-plans.js')], 'The backup plans could not be written.')
  if (buildPages(root, (text) => console.error(text))) return
  console.error('The admin pages could not be built.')
  process.exit(1)
}

/**
 * Whether nothing in a folder of the workspace was built after a file was written.
 * @param {string} file @param {string} folder
 */
function isCurrent(file, folder) {
  const builds = readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'tsconfig.tsbuildinfo'))
  return builds.every((build) => modifiedAt(build) < modifiedAt(file))
}

/** @param {string} path @returns {number} 0 where there is no such file */
function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Of everything an installation depends on: the lockfile, the workspace, the manifests. */
function fingerprint() {
  const manifests = ['packages', 'services', 'apps'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => join(root, folder, name, 'package.json')),
  )
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((name) => join(root, name))
  const hash = createHash('sha256').update(`${PNPM} ${process.platform} ${process.arch}`)
  for (const file of [...files, ...manifests])
    if (existsSync(file)) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** @param {string} command @param {string[]} args @param {string} complaint */
function run(command, args, complaint) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  console.error(error === undefined ? complaint : `${complaint} ${error.message}`)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // where Node is too old, the import never ends
  void import('./node/on-supported-node.mjs').then(prepare)
}

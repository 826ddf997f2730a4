// @ts-check
/**
 * Installs and builds, each only when needed. Plain Node: it runs on a fresh clone.
 * `node scripts/prepare.mjs` does it by hand.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './start/build-pages.mjs'
import { runCommand } from './start/run-command.mjs'

export const PNPM = 'pnpm@12.21.0'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Its progress would bury what is said about the rest; warnings stay. */
const INSTALL_FLAGS = ['--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']
const OPENAPI = join(root, 'packages', 'openapi', 'dist')
const OPERATIONS = join(root, 'packages', 'operations', 'dist')
const stamp = join(root, 'node_modules', '.installed-for')

/** Installs and builds. Ends the process with the reason if that fails. */
export async function prepare() {
  await install()
  await build()
}

/** Whether the next `install` has something to do. */
export function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()
}

/** Brings node_modules up to date. */
export async function install() {
  if (isInstalled()) return
  const wanted = fingerprint()
  console.error('Installing dependencies …')
  const startedAt = Date.now()
  await run('npx', ['-y', PNPM, 'install', ...INSTALL_FLAGS], 'The dependencies could not be installed.')
  writeFileSync(stamp, wanted)
  console.error(`installed the dependencies in ${Math.round((Date.now() - startedAt) / 1_000)} s`)
}

/** Brings every dist, the OpenAPI documents, the backup plans and the admin pages up to date. */
export async function build() {
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  await run(tsc, ['-b'], 'The build failed.')
  await Promise.all([
    // the last of the documents
    isCurrent(join(OPENAPI, 'documents', 'admin.json'), 'packages') ||
      run(process.execPath, [join(OPENAPI, 'write-documents.js')], 'The OpenAPI documents could not be written.'),
    isCurrent(join(OPERATIONS, 'backup-plans.json'), 'services') ||
      run(process.execPath, [join(OPERATIONS, 'write-plans.js')], 'The backup plans could not be written.'),
    buildPages(root, (text) => console.error(text)).then((isBuilt) => {
      if (!isBuilt) fail('The admin pages could not be built.')
    }),
  ])
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
async function run(command, args, complaint) {
  const reason = await runCommand(command, args, { cwd: root })
  if (reason !== undefined) fail(`${complaint} ${reason}`)
}

/** @param {string} complaint @returns {never} */
function fail(complaint) {
  console.error(complaint)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // where Node is too old, the import never ends
  void import('./node/on-supported-node.mjs').then(prepare)
}

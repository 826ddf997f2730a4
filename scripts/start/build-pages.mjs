// @ts-check
/**
 * Builds the admin pages when something they are made of has changed since the last build. The hash of the inputs is
 * kept beside the output, so another start, test run or landing builds nothing.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.mjs'

/** The sources of the bundle, relative to the checkout. */
const INPUTS = [
  'apps/admin/src',
  'apps/admin/build',
  'apps/admin/public',
  'apps/admin/package.json',
  'apps/admin/vite.config.ts',
  'packages/client/src',
  'packages/contracts/src',
  'pnpm-lock.yaml',
]

/** @param {string} root the checkout @returns {string} the hash of the inputs */
export function hashPages(root) {
  const hash = createHash('sha256').update('production')
  for (const file of INPUTS.flatMap((path) => filesBelow(root, path)))
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/**
 * @param {string} root the checkout
 * @param {(text: string) => void} print
 * @returns {Promise<boolean>} false when the build failed
 */
export async function buildPages(root, print) {
  const folder = join(root, 'apps', 'admin')
  const stamp = join(folder, 'dist', '.built-for')
  const wanted = hashPages(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true
  print('Building the admin pages …')
  // a build that fails leaves no stamp, and a later start tries again
  rmSync(stamp, { force: true })
  const vite = join(folder, 'node_modules', '.bin', 'vite')
  // a test run would build the libraries for development
  const env = { ...process.env, NODE_ENV: 'production' }
  const reason = await runCommand(vite, ['build', '--logLevel', 'warn'], { cwd: folder, env })
  if (reason !== undefined) return false
  writeFileSync(stamp, wanted)
  return true
}

/** @param {string} root @param {string} path @returns {string[]} */
function filesBelow(root, path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  const entries = namesIn(full)
  if (entries === undefined) return [path]
  return entries.flatMap((entry) => filesBelow(root, `${path}/${entry}`)).filter((file) => !/\.spec\.tsx?$/.test(file))
}

/** @param {string} path @returns {string[] | undefined} undefined for a file */
function namesIn(path) {
  try {
    return readdirSync(path).sort()
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return undefined
    throw error
  }
}

// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PNPM } from '../prepare.mjs'

/** What others can install: `packages/<name>`, published as `@partsbus/<name>`. */
export const PUBLISHED = ['contracts', 'client', 'price-file', 'cli']

/**
 * Packs what was built. @param {string} root of the checkout @param {string} folder for the tarballs, emptied before
 *
 * @returns {Promise<Record<string, string>>} name → tarball
 */
export async function packPackages(root, folder) {
  const unbuilt = PUBLISHED.filter((name) => !existsSync(join(root, 'packages', name, 'dist')))
  if (unbuilt.length > 0) throw new Error(`${unbuilt.join(', ')} not built: run \`node scripts/prepare.mjs\``)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const filters = PUBLISHED.flatMap((name) => ['--filter', `@partsbus/${name}`])
  const hooks = `--config.pnpmfile=${join(import.meta.dirname, 'pnpmfile.mjs')}`
  await runPnpm([hooks, '--recursive', ...filters, 'pack', '--pack-destination', folder], root)
  return findPackages(folder)
}

/** @param {string} folder of tarballs @returns {Record<string, string>} name → tarball */
export function findPackages(folder) {
  const files = readdirSync(folder)
  return Object.fromEntries(
    PUBLISHED.map((name) => {
      const file = files.find((each) => each.replace(/-\d.*$/, '') === `partsbus-${name}`)
      if (file === undefined) throw new Error(`@partsbus/${name} was not packed`)
      return [name, join(folder, file)]
    }),
  )
}

/** @param {string[]} args @param {string} cwd @throws Error with what it printed */
export async function runPnpm(args, cwd) {
  const run = spawn('npx', ['-y', PNPM, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const [status] = await once(run, 'close')
  if (status !== 0) throw new Error(`pnpm ${args.join(' ')} failed:\n${said}`)
}

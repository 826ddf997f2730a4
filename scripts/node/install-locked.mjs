// @ts-check
/** A program from the package registry, in the cache folder that all checkouts share. Parsed by Node 18. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** As packages/local-stack/src/build-cache.ts, which an old Node cannot load. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'partsbus', 'local-stack')

/**
 * Installs with npm what package.json names, verified by package-lock.json, and runs nothing of it. Under another name
 * until it is complete; of two at a time the first stays.
 *
 * @param {string} source the folder with both files
 * @param {string} folder the one that is created
 * @param {string} program its path in the folder
 * @param {(target: string) => boolean} [complete] makes the program of what was installed
 * @returns {string | undefined} why there is no program, or undefined
 */
export function installLocked(source, folder, program, complete = () => true) {
  mkdirSync(CACHE, { recursive: true })
  const target = mkdtempSync(`${folder}.installing-`)
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(target, file))
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', ['ci', ...quietly], { cwd: target, stdio: ['ignore', 'ignore', 2] })
  try {
    if (status === 0 && complete(target) && existsSync(join(target, program))) renameSync(target, folder)
  } catch {
    // another process was faster
  }
  rmSync(target, { recursive: true, force: true })
  if (existsSync(join(folder, program))) return undefined
  return error === undefined ? 'npm installed none' : error.message
}

// @ts-check
import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * All files git knows or would add, so that a rule sees new work before it is committed and never a build's output.
 *
 * @param {string} root @returns {import('./places.mjs').File[]}
 */
export function readTree(root) {
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (git.status !== 0) throw new Error(`git ls-files failed in ${root}: ${git.stderr}`)
  const paths = [...new Set(git.stdout.split('\0').filter(Boolean))].sort()
  return paths.flatMap((path) => {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (!stat?.isFile()) return []
    const content = readFileSync(join(root, path))
    return [{ path, bytes: content.length, text: content.includes(0) ? '' : content.toString('utf8') }]
  })
}
